import Core
import OrderedJSON
import TerminalView

/// A request on one line, as listings show it.
enum RequestLine {
    static func what(_ card: JSON) -> String {
        let target = card.text("target")
        return target.isEmpty ? card.text("description") : target
    }

    /// The members of the input that `what` does not show, as JSON: an MCP tool may do more than its one shown argument
    /// says.
    static func rest(of card: JSON) -> String? {
        var input = card["tool_input"]?.objectValue ?? [:]
        for (key, value) in input where value.stringValue == what(card) { input[key] = nil }
        if card.text("kind") == ToolKind.shellCommand.rawValue {
            for role in [ToolRole.note, .timeout] {
                if let name = card["members"]?[role.rawValue]?.stringValue { input[name] = nil }
            }
        }
        return input.isEmpty ? nil : JSON.object(input).serialized()
    }
}
