import Core
package import OrderedJSON
import Text

/// Parses `notify` of the configuration. Here an unknown key stops the start too: with a misspelt key a user would wait
/// for notifications in vain, or send more than intended.
package enum NotifyReader {
    package static func settings(_ value: JSON) throws(NotifySettingError) -> NotifySettings {
        var settings = NotifySettings()
        for (key, value) in try object("notify", value) {
            let name = "notify.\(key)"
            switch key {
            case "apns": settings.apns = try apns(name, value)
            case "contact": settings.contact = try contact(name, value)
            case "cooldown_seconds": settings.policy.coolDown = try seconds(name, value)
            case "idle": settings.policy.tellsIdle = try flag(name, value)
            case "include_details": settings.includesDetails = try flag(name, value)
            case "ntfy": settings.ntfy = try ntfy(name, value)
            case "push_hosts": settings.pushHosts = try hosts(name, value)
            case "stop": settings.policy.tellsStop = try flag(name, value)
            case "webhook": settings.webhook = try webhook(name, value)
            default:
                throw unknown(
                    name, value,
                    "apns, contact, cooldown_seconds, idle, include_details, ntfy, push_hosts, stop, webhook")
            }
        }
        return settings
    }

    private static func ntfy(_ name: String, _ value: JSON) throws(NotifySettingError) -> NotifySettings.Ntfy {
        let members = try object(name, value)
        let allowed = #"the address of a topic, such as "https://ntfy.sh/TOPIC""#
        guard let address = members["url"]?.stringValue, let url = webAddress(address),
            let slash = url.text.lastIndex(of: "/"), isTopic(url.text[slash...].dropFirst())
        else { throw fault("\(name).url", members["url"] ?? .null, allowed) }
        var ntfy = NotifySettings.Ntfy(
            server: String(url.text[..<slash]), topic: String(url.text[slash...].dropFirst()))
        for (key, value) in members {
            switch key {
            case "allow": ntfy.allowsDirectly = try flag("\(name).allow", value)
            case "token": ntfy.token = try secret("\(name).token", value)
            case "url": break
            default: throw unknown("\(name).\(key)", value, "allow, token, url")
            }
        }
        if ntfy.allowsDirectly, ntfy.token == nil || !url.isSecure {
            throw fault(
                "\(name).allow", true,
                "false without an access token (token) and https: whoever knows the topic could allow")
        }
        return ntfy
    }

    private static func webhook(_ name: String, _ value: JSON) throws(NotifySettingError) -> NotifySettings.Webhook {
        let members = try object(name, value)
        guard let url = members["url"]?.stringValue.flatMap(webAddress) else {
            throw fault("\(name).url", members["url"] ?? .null, "an http or https address")
        }
        var webhook = NotifySettings.Webhook(url: url.text)
        for (key, value) in members {
            switch key {
            case "answers": webhook.answers = try flag("\(name).answers", value)
            case "secret": webhook.secret = try secret("\(name).secret", value)
            case "url": break
            default: throw unknown("\(name).\(key)", value, "answers, secret, url")
            }
        }
        if webhook.answers, webhook.secret == nil || !(url.isSecure || url.authority.isLoopback) {
            throw fault(
                "\(name).answers", true,
                "false without a secret, and with http to another machine: the links it is sent allow")
        }
        return webhook
    }

    private static func contact(_ name: String, _ value: JSON) throws(NotifySettingError) -> String {
        if let text = value.stringValue, text.utf8.count < 256, text.hasPrefix("mailto:") || text.hasPrefix("https://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            return text
        }
        throw fault(name, value, #"an address such as "mailto:me@example.com" or "https://example.com""#)
    }

    private static func hosts(_ name: String, _ value: JSON) throws(NotifySettingError) -> [String] {
        let hosts = value.arrayValue?.map { $0.stringValue?.lowercased() ?? "" }
        if let hosts,
            hosts.allSatisfy({ host in
                PushEndpoint("https://\(host.hasPrefix("*.") ? String(host.dropFirst(2)) : host)/") != nil
            })
        {
            return hosts
        }
        throw fault(name, value, #"a list of host names; "*.example.com" stands for all below it"#)
    }

    private static func webAddress(_ text: String) -> WebAddress? {
        WebAddress(text).flatMap { address in
            address.isOfWeb && text.utf8.count <= 2048 && !address.rest.holds("#") ? address : nil
        }
    }

    private static func isTopic(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    // MARK: Kinds of values

    static func object(_ name: String, _ value: JSON) throws(NotifySettingError) -> JSONObject {
        if let object = value.objectValue { return object }
        throw fault(name, value, "an object")
    }

    static func flag(_ name: String, _ value: JSON) throws(NotifySettingError) -> Bool {
        if let flag = value.boolValue { return flag }
        throw fault(name, value, "true or false")
    }

    static func seconds(_ name: String, _ value: JSON) throws(NotifySettingError) -> Double {
        if let number = value.doubleValue, (0...86_400).contains(number) { return number }
        throw fault(name, value, "a number of seconds from 0 to 86400")
    }

    /// Parses a secret. The error does not show the value, because it is logged.
    static func secret(_ name: String, _ value: JSON) throws(NotifySettingError) -> String {
        if let text = value.stringValue, (1...1024).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            return text
        }
        throw NotifySettingError(
            key: name, value: "not usable", allowed: "visible ASCII characters without spaces")
    }

    static func unknown(_ name: String, _ value: JSON, _ known: String) -> NotifySettingError {
        NotifySettingError(key: name, value: "unknown", allowed: "one of \(known)")
    }

    static func fault(_ name: String, _ value: JSON, _ allowed: String) -> NotifySettingError {
        let text = value.serialized()
        return NotifySettingError(
            key: name, value: text.count > 80 ? text.prefix(80) + "…" : text, allowed: allowed)
    }
}

/// The reason for which a setting cannot be used.
package struct NotifySettingError: Error {
    /// The whole path of the key: `notify.ntfy.url`.
    package let key: String
    /// The value as it may be shown: shortened, and never a secret.
    package let value: String
    package let allowed: String
}
