/// A simple command of a line: words, with what joins it to its neighbours.
package struct SimpleCommand: Sendable, Hashable {
    /// What stands between two commands.
    package enum Separator: Sendable, Hashable {
        /// The start or the end of the line.
        case edge
        case and, or, semicolon, newline, pipe

        /// Another command has to follow.
        var needsMore: Bool {
            switch self {
            case .and, .or, .pipe: true
            case .edge, .semicolon, .newline: false
            }
        }
    }

    /// The command itself, never empty: without the assignments and the `timeout N` that were passed over.
    package let words: [ShellWord]
    /// Words passed over before `words`, as they were written.
    package let passedOver: [String]
    package let before: Separator
    package internal(set) var after: Separator
    /// It carries one of the harmless redirections.
    package let isRedirected: Bool
    /// Where it stands in the line's UTF-8.
    package let range: Range<Int>

    /// The first word's value.
    package var name: String { words[0].value }
}
