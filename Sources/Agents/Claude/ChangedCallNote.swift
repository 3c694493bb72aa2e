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
        let (before, after) = (values(asked), values(ran))
        let names = ran.map(\.key) + asked.map(\.key).filter { after[ExactString($0)] == nil }
        let changes = names.compactMap { name -> String? in
            let (asked, ran) = (before[ExactString(name)], after[ExactString(name)])
            return asked == ran ? nil : "`\(name)`: you asked for \(shown(asked)), \(shown(ran)) ran."
        }
        return ([beginning] + changes).joined(separator: "\n")
    }

    /// By name: a lookup in the object searches all of its members, and there may be thousands.
    private static func values(_ object: JSONObject) -> [ExactString: JSON] {
        Dictionary(object.map { (ExactString($0.key), $0.value) }) { first, _ in first }
    }

    private static func shown(_ value: JSON?) -> String {
        guard let value else { return "nothing" }
        let text = value.stringValue ?? value.serialized()
        return text.count > longestValue ? "\(text.prefix(longestValue))…" : text
    }
}
