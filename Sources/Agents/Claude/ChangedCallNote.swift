import Core
import OrderedJSON

extension HookAnswer {
    /// The answer's body. Where a person changed the call, the model is told, for its own words still say what it asked
    /// for.
    func claudeBody(for event: AgentEvent) -> JSON {
        let body = body(for: event.name)
        guard event.name == .preToolUse, case .allow(_, let update?) = self, let tool = event.tool,
            !tool.kind.isForUser,
            var output = body["hookSpecificOutput"]?.objectValue
        else { return body }
        output["additionalContext"] = .string(ChangedCallNote.text(asked: tool.kept, ran: update))
        return ["hookSpecificOutput": .object(output)]
    }
}

extension HookAnswer {
    /// The answer to PostToolUse: a call that was changed at its dialog is told once it has run, since Claude Code takes
    /// no words for the model there.
    var toolEndBody: JSON {
        guard case .changed(let asked, let ran) = self else { return [:] }
        return [
            "hookSpecificOutput": [
                "hookEventName": "PostToolUse",
                "additionalContext": .string(ChangedCallNote.text(asked: asked, ran: ran)),
            ]
        ]
    }
}

/// The text that tells the model of a call that a person changed.
enum ChangedCallNote {
    /// Characters of one value.
    private static let longestValue = 2000
    /// Bytes of an input whose members are compared; parsing a larger one takes longer than an answer may.
    private static let largest = 32 << 10

    static func text(asked: KeptJSON, ran: KeptJSON) -> String {
        let beginning = "cdev: a person changed this call before allowing it."
        guard asked.size <= largest, ran.size <= largest, let asked = asked.value.objectValue,
            let ran = ran.value.objectValue
        else { return beginning + " The input that ran is not the one you sent." }
        let names = ran.map(\.key) + asked.map(\.key).filter { ran[$0] == nil }
        let changes = names.filter { asked[$0] != ran[$0] }.map { name in
            "`\(name)`: you asked for \(shown(asked[name])), \(shown(ran[name])) ran."
        }
        return ([beginning] + changes).joined(separator: "\n")
    }

    private static func shown(_ value: JSON?) -> String {
        guard let value else { return "nothing" }
        let text = value.stringValue ?? value.serialized()
        return text.count > longestValue ? "\(text.prefix(longestValue))…" : text
    }
}
