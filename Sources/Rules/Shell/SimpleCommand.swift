/// A simple command of a line: its words, and the operators before and after it.
package struct SimpleCommand: Sendable, Hashable {
    /// The operator between two commands.
    package enum Separator: Sendable, Hashable {
        /// The start or the end of the line.
        case edge
        case and, or, semicolon, newline, pipe

        /// True if another command has to follow.
        var needsMore: Bool {
            switch self {
            case .and, .or, .pipe: true
            case .edge, .semicolon, .newline: false
            }
        }
    }

    /// The command itself without its prefix of assignments and `timeout N`; never empty.
    package let words: [ShellWord]
    /// The words of the prefix before `words`, as they were written.
    package let prefix: [String]
    package let before: Separator
    package internal(set) var after: Separator
    /// True if the command has a redirection (only harmless ones are accepted).
    package let isRedirected: Bool
    /// The command's range in the line's UTF-8.
    package let range: Range<Int>

    /// The first word's value.
    package var name: String { words[0].value }
}

extension SimpleCommand {
    /// A likely command of a line that is not understood.
    init(glanced words: [String]) {
        self.init(
            words: words.map { ShellWord($0) }, prefix: [], before: .semicolon, after: .semicolon, isRedirected: false,
            range: 0..<0)
    }
}
