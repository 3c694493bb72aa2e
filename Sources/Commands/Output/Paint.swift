/// Colours of the output for people; none where standard output is no terminal that has them, or with `NO_COLOR`.
struct Paint {
    private let isOn: Bool

    init(_ environment: [String: String]) {
        isOn = TerminalLines.hasColours(environment)
    }

    func bold(_ text: String) -> String { paint("1", text) }
    func dim(_ text: String) -> String { paint("2", text) }
    func bad(_ text: String) -> String { paint("31", text) }
    func good(_ text: String) -> String { paint("32", text) }
    func warning(_ text: String) -> String { paint("33", text) }

    /// ECMA-48 section 8.3.117, select graphic rendition.
    private func paint(_ code: String, _ text: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// A cell of a table: the words of effects and states in their colours.
    func cell(_ text: String) -> String {
        switch text {
        case "allow", "connected": good(text)
        case "deny": bad(text)
        case "waiting": warning(text)
        case "ended", "past", "silent": dim(text)
        default: text
        }
    }

    /// A decision in its colour.
    func decision(_ decision: String, _ text: String) -> String {
        switch decision {
        case "allow": good(text)
        case "deny": bad(text)
        default: dim(text)
        }
    }
}
