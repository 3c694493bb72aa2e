import Core
import OrderedJSON
import Platform

/// Reads `config.json`, key by key. An unknown key is a warning; an invalid value stops the start.
package struct ConfigurationReader {
    package private(set) var configuration = Configuration()
    package private(set) var warnings: [String] = []
    let path: String

    /// Bytes, a thousand times what any configuration has.
    private static let longest = 1 << 20

    /// - Parameter path: The file; if it is missing, the defaults apply.
    package init(path: String) throws(ConfigurationError) {
        self.path = path
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try FileBytes.ifPresent(path, limit: Self.longest)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        if let bytes { try read(bytes) }
    }

    package init(bytes: [UInt8], path: String) throws(ConfigurationError) {
        self.path = path
        try read(bytes)
    }

    private mutating func read(_ bytes: [UInt8]) throws(ConfigurationError) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = Self.isBlank(bytes) ? [:] : try JSON(parsing: bytes)
        } catch {
            throw .unreadable(path: path, reason: "it is not JSON: \(error)")
        }
        guard let object = json.objectValue else {
            throw .unreadable(path: path, reason: "it must hold one JSON object")
        }
        for (key, value) in object { try set(key, value) }
    }

    /// True for nothing but JSON's white space. The NUL bytes that a power cut may leave in place of a file's content are
    /// none.
    package static func isBlank(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    }

    private mutating func set(_ key: String, _ value: JSON) throws(ConfigurationError) {
        switch key {
        case "acp_announce": configuration.acpAnnounced = try boolean(key, value)
        case "acp_port": configuration.acpPort = UInt16(try integer(key, value, 0...65_535))
        case "allow_bypass": configuration.allowsBypass = try boolean(key, value)
        case "allowed_origins": configuration.allowedOrigins = try origins(key, value)
        case "chat_errands": configuration.chatErrands = try choice(key, value)
        case "claude": configuration.claude = try program(key, value)
        case "confirm": configuration.policy.confirm = try confirm(key, value)
        case "device_days": configuration.deviceDays = try integer(key, value, 1...3650)
        case "gate": configuration.policy.gate = try choice(key, value)
        case "host": configuration.host = try text(key, value)
        case "http_hooks": configuration.httpHooks = try boolean(key, value)
        case "max_sessions": configuration.mostSessions = try integer(key, value, 1...64)
        case "no_approver": configuration.policy.noApprover = try choice(key, value)
        case "notify": configuration.notify = try notify(value)
        case "on_timeout": configuration.policy.onTimeout = try choice(key, value)
        case "passthrough_tools": configuration.policy.passthroughTools = try texts(key, value)
        case "permission_timeout_seconds": configuration.policy.permissionTimeout = try seconds(key, value)
        case "port": configuration.port = UInt16(try integer(key, value, 0...65_535))
        case "prompt_timeout_seconds": configuration.policy.promptTimeout = try seconds(key, value)
        case "public_url": configuration.publicURL = try publicURL(key, value)
        case "retention_days": configuration.retentionDays = try integer(key, value, 1...3650)
        case "session_environment": configuration.sessionEnvironment = try choice(key, value)
        case "session_idle_minutes": configuration.sessionIdleMinutes = try integer(key, value, 1...10_080)
        case "tls": configuration.tls = try tls(key, value)
        case "trusted_proxies": configuration.trustedProxies = try proxies(key, value)
        default: warnings.append("\(path): there is no key \"\(key)\"; it was ignored")
        }
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ value: JSON
    ) throws(ConfigurationError) -> Choice {
        if let choice = value.stringValue.flatMap(Choice.init(rawValue:)) { return choice }
        throw fault(key, value, "one of " + Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
    }

    private func integer(_ key: String, _ value: JSON, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        if let number = value.intValue, range.contains(number) { return number }
        throw fault(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    private func seconds(_ key: String, _ value: JSON) throws(ConfigurationError) -> Double {
        if let number = value.doubleValue, number >= 1, number <= Configuration.longestTimeout { return number }
        throw fault(key, value, "a number of seconds from 1 to \(Int(Configuration.longestTimeout))")
    }

    private func text(_ key: String, _ value: JSON) throws(ConfigurationError) -> String {
        if let text = value.stringValue, !text.isEmpty { return text }
        throw fault(key, value, "a string that is not empty")
    }

    private func program(_ key: String, _ value: JSON) throws(ConfigurationError) -> String {
        let path = try text(key, value)
        if path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) { return path }
        throw fault(key, value, "the absolute path of a program")
    }

    private func texts(_ key: String, _ value: JSON) throws(ConfigurationError) -> [String] {
        let texts = value.arrayValue?.map { $0.stringValue ?? "" }
        if let texts, !texts.contains("") { return texts }
        throw fault(key, value, "a list of strings that are not empty")
    }

    private func confirm(_ key: String, _ value: JSON) throws(ConfigurationError) -> ConfirmList {
        if let list = ConfirmList(try texts(key, value)) { return list }
        throw fault(key, value, ConfirmList.spelling)
    }

    private func origins(_ key: String, _ value: JSON) throws(ConfigurationError) -> [String] {
        let origins = try texts(key, value)
        if origins.allSatisfy({ $0.hasPrefix("http://") || $0.hasPrefix("https://") }) { return origins }
        throw fault(key, value, "a list of origins such as \"https://app.example\"")
    }

    func fault(_ key: String, _ value: JSON, _ allowed: String) -> ConfigurationError {
        let text = value.serialized()
        let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
        return .invalid(source: path, key: key, value: String(shown), allowed: allowed)
    }
}
