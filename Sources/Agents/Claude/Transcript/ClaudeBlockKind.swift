/// The kinds of blocks of a message whose words are searched.
enum ClaudeBlockKind {
    case other, text, thinking, toolUse, toolResult

    init(_ name: Range<Int>, _ scanner: LineScanner) {
        if scanner.holds(name, "text") {
            self = .text
        } else if scanner.holds(name, "tool_use") {
            self = .toolUse
        } else if scanner.holds(name, "tool_result") {
            self = .toolResult
        } else {
            self = scanner.holds(name, "thinking") ? .thinking : .other
        }
    }
}
