import OrderedJSON

/// What Claude Code does to a settings file when it writes one itself (measured on 2.1.327): keys it does not know vanish from
/// groups and entries, the layout becomes its own, known keys of the top level move to the front.
enum ClaudeRewriting {
    private static let groupKeys: Set<String> = ["matcher", "hooks"]
    private static let entryKeys: Set<String> = [
        "type", "command", "timeout", "statusMessage", "onFailure", "if", "once", "shell", "args", "async",
    ]

    static func rewrite(_ text: [UInt8]) throws -> [UInt8] {
        let settings = try JSONDocument(parsing: text).value(at: []) ?? .null
        var known: JSONObject = [:]
        known["hooks"] = settings["hooks"].map(hooks)
        for (key, value) in settings.objectValue ?? [:] where key != "hooks" { known[key] = value }
        var document = try JSONDocument(parsing: Array("{}\n".utf8))
        for (key, value) in known { try document.set(value, at: [.key(key)]) }
        return document.bytes
    }

    static func stripped(_ settings: JSON) -> JSON {
        guard var object = settings.objectValue, let value = object["hooks"] else { return settings }
        object["hooks"] = hooks(value)
        return .object(object)
    }

    private static func hooks(_ value: JSON) -> JSON {
        .object(JSONObject((value.objectValue ?? [:]).map { ($0.key, list($0.value, group)) }))
    }

    private static func group(_ value: JSON) -> JSON {
        let members = (value.objectValue ?? [:]).filter { groupKeys.contains($0.key) }
        return .object(JSONObject(members.map { ($0.key, list($0.value, entry)) }))
    }

    private static func entry(_ value: JSON) -> JSON {
        .object(JSONObject((value.objectValue ?? [:]).filter { entryKeys.contains($0.key) }.map { ($0.key, $0.value) }))
    }

    private static func list(_ value: JSON, _ change: (JSON) -> JSON) -> JSON {
        value.arrayValue.map { .array($0.map(change)) } ?? value
    }
}
