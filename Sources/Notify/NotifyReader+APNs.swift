import OrderedJSON
import Text

extension NotifyReader {
    /// Parses `notify.apns`. The key file is not looked at here.
    static func apns(_ name: String, _ value: JSON) throws(NotifySettingError) -> NotifySettings.APNs {
        let members = try object(name, value)
        var settings = NotifySettings.APNs(
            keyFile: try path("\(name).key_file", members["key_file"] ?? .null),
            keyID: try id("\(name).key_id", members["key_id"] ?? .null),
            teamID: try id("\(name).team_id", members["team_id"] ?? .null),
            topic: try topic("\(name).topic", members["topic"] ?? .null))
        for (key, value) in members {
            switch key {
            case "authority": settings.authority = try path("\(name).authority", value)
            case "host": settings.host = try host("\(name).host", value)
            case "key_file", "key_id", "team_id", "topic": break
            case "sandbox_host": settings.sandboxHost = try host("\(name).sandbox_host", value)
            default:
                throw unknown(
                    "\(name).\(key)", value, "authority, host, key_file, key_id, sandbox_host, team_id, topic")
            }
        }
        return settings
    }

    private static func path(_ name: String, _ value: JSON) throws(NotifySettingError) -> String {
        if let path = value.stringValue, path.hasPrefix("/"), !path.utf8.contains(0) { return path }
        throw fault(name, value, "the absolute path of a file")
    }

    /// Apple's ids of keys and teams have ten capital letters and digits.
    private static func id(_ name: String, _ value: JSON) throws(NotifySettingError) -> String {
        if let id = value.stringValue, id.utf8.count == 10,
            id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        {
            return id
        }
        throw fault(name, value, #"the ten capital letters and digits that Apple shows, such as "ABC123DEFG""#)
    }

    private static func topic(_ name: String, _ value: JSON) throws(NotifySettingError) -> String {
        let isTopic = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        if let topic = value.stringValue, (1...155).contains(topic.utf8.count), topic.utf8.allSatisfy(isTopic) {
            return topic
        }
        throw fault(name, value, #"the app's bundle id, such as "com.example.claudiator""#)
    }

    private static func host(_ name: String, _ value: JSON) throws(NotifySettingError) -> String {
        if let host = value.stringValue, let address = WebAddress("https://\(host)/"), address.isOfWeb,
            address.rest == "/"
        {
            return host
        }
        throw fault(name, value, #"a host, such as "api.push.apple.com" or "localhost:8443", without a path"#)
    }
}
