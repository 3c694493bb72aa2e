import OrderedJSON

/// Finds entries of others in the file that keep our hooks from working. Measured on Claude Code 2.1.327.
extension SettingsCheck {
    private static let types: Set<String> = ["agent", "command", "http", "mcp_tool", "prompt"]

    mutating func look(atForeign shape: SettingsShape) {
        for event in shape.events {
            for entry in event.groups.flatMap(\.entries) { look(at: entry, of: event.name) }
            let isEarly = event.groups.contains { group in
                group.entries.indices.contains {
                    !group.ours.contains($0) && SettingsEntry.isOfEarlyVersion(group.entries[$0])
                }
            }
            guard isEarly else { continue }
            report(
                "\(path) has a hook for \(event.name) that an early version of cdev left, so each event is told twice",
                "remove the entry that runs a script in .cdev/hooks and does not end in \"\(SettingsEntry.suffix)\"")
        }
        for key in shape.unknownKeys {
            report(
                "\(path) has \"\(key)\" under hooks, which Claude Code 2.1.327 does not know and warns of at each start",
                "remove it if you do not need it")
        }
    }

    /// Checks the entries of two events: one invalid entry of them, and Claude Code ignores the whole file.
    private mutating func look(at entry: JSON, of event: String) {
        guard ["PermissionRequest", "PreToolUse"].contains(event) else { return }
        let isTypeKnown = entry["type"]?.stringValue.map(Self.types.contains) == true
        let isTimeoutGood = entry["timeout"].map { ($0.doubleValue ?? 0) > 0 } ?? true
        guard !isTypeKnown || !isTimeoutGood else { return }
        report(
            "\(path) has a \(event) hook whose \(isTypeKnown ? "timeout" : "type") is not valid, so Claude Code ignores the whole file",
            "correct or remove that entry")
    }
}
