package import OrderedJSON

/// The reasons for which a settings file is not changed.
package enum SettingsError: Error, Hashable, CustomStringConvertible {
    case invalidJSON(JSONSyntaxError)
    /// The place of a value that does not have the type Claude Code documents.
    case wrongShape(line: Int, column: Int, message: String)
    case editFailed(JSONEditError)

    package var description: String {
        switch self {
        case .invalidJSON(let error):
            "it is not valid JSON: \(error)"
        case .wrongShape(let line, let column, let message):
            "it has a shape Claude Code does not know: line \(line), column \(column): \(message)"
        case .editFailed(let error):
            "it cannot be changed: \(error)"
        }
    }
}

/// The `hooks` of a settings file; checks the types on the way to each entry.
struct SettingsShape {
    struct Group {
        let value: JSON
        let entries: [JSON]
        let ours: [Int]

        var isOnlyOurs: Bool { ours.count == entries.count }
    }

    /// All events of Claude Code 2.1.327. It ignores other keys under `hooks`, whatever they hold, and so do we.
    static let knownEvents: Set<String> = [
        "ConfigChange", "CwdChanged", "DirectoryAdded", "Elicitation", "ElicitationResult", "FileChanged",
        "InstructionsLoaded", "MessageDisplay", "Notification", "PermissionDenied", "PermissionRequest", "PostCompact",
        "PostModelSwitch", "PostToolBatch", "PostToolUse", "PostToolUseFailure", "PreCompact", "PreModelSwitch",
        "PreToolUse", "SessionEnd", "SessionStart", "Setup", "Stop", "StopFailure", "SubagentStart", "SubagentStop",
        "TaskCompleted", "TaskCreated", "TeammateIdle", "UserPromptExpansion", "UserPromptSubmit", "WorktreeCreate",
        "WorktreeRemove",
    ]

    /// In the order of the file.
    let events: [(name: String, groups: [Group])]
    /// Keys under `hooks` that are not events; sorted.
    let unknownKeys: [String]

    init(of document: JSONDocument) throws(SettingsError) {
        let reader = Reader(document: document)
        let root = try reader.object(document.value(at: []), [])
        guard let value = root["hooks"] else {
            events = []
            unknownKeys = []
            return
        }
        let hooks = try reader.object(value, ["hooks"])
        var events: [(String, [Group])] = []
        for (name, list) in hooks where Self.knownEvents.contains(name) {
            events.append((name, try reader.groups(list, ["hooks", .key(name)])))
        }
        self.events = events
        unknownKeys = hooks.keys.filter { !Self.knownEvents.contains($0) }.sorted()
    }

    func groups(of event: String) -> [Group]? {
        events.first { $0.name == event }?.groups
    }
}

/// Walks down the values, and asks the document for a position only for an error.
private struct Reader {
    let document: JSONDocument

    func groups(_ value: JSON, _ path: JSONPath) throws(SettingsError) -> [SettingsShape.Group] {
        var groups: [SettingsShape.Group] = []
        for (place, element) in try array(value, path).enumerated() {
            groups.append(try group(element, path + [.index(place)]))
        }
        return groups
    }

    private func group(_ value: JSON, _ path: JSONPath) throws(SettingsError) -> SettingsShape.Group {
        let group = try object(value, path)
        guard let hooks = group["hooks"] else { throw wrong(path, "\(path.described) has no list of hooks") }
        if let matcher = group["matcher"], matcher.stringValue == nil {
            throw wrong(path + ["matcher"], "the matcher of \(path.described) is not a string")
        }
        let entries = try array(hooks, path + ["hooks"])
        for (place, entry) in entries.enumerated() { try check(entry, path + ["hooks", .index(place)]) }
        let isMarked = group[SettingsEntry.marker] == true
        let ours = entries.indices.filter { SettingsEntry.isOurs(entries[$0], inMarkedGroup: isMarked) }
        return SettingsShape.Group(value: value, entries: entries, ours: ours)
    }

    private func check(_ entry: JSON, _ path: JSONPath) throws(SettingsError) {
        if let command = try object(entry, path)["command"], command.stringValue == nil {
            throw wrong(path + ["command"], "the command of \(path.described) is not a string")
        }
    }

    func object(_ value: JSON?, _ path: JSONPath) throws(SettingsError) -> JSONObject {
        guard let object = value?.objectValue else { throw wrong(path, "\(path.described) should be an object {…}") }
        return object
    }

    private func array(_ value: JSON, _ path: JSONPath) throws(SettingsError) -> [JSON] {
        guard let array = value.arrayValue else { throw wrong(path, "\(path.described) should be a list […]") }
        return array
    }

    private func wrong(_ path: JSONPath, _ message: String) -> SettingsError {
        let position = document.position(of: path) ?? (1, 1)
        return .wrongShape(line: position.line, column: position.column, message: message)
    }
}
