/// One word of a simple command, after quote removal.
package struct ShellWord: Sendable, Hashable {
    /// The argument that the command gets, if `marks` is empty.
    package let value: String
    /// The special characters that stood outside quotes (for `$`, outside single quotes) and may make the shell change
    /// the word.
    package let marks: Marks
    /// True if any part of the word was quoted.
    package let isQuoted: Bool

    /// The word as it was written; empty if any part of it was quoted.
    var unquoted: String { isQuoted ? "" : value }

    /// Characters that are special to bash or zsh.
    package struct Marks: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// A `$` outside single quotes, other than `status`.
        package static let dollar = Marks(rawValue: 1)
        /// `$?`, not before `[` or `:`.
        package static let status = Marks(rawValue: 2)
        /// A brace other than in `@{letters or digits}`.
        package static let brace = Marks(rawValue: 4)
        package static let hash = Marks(rawValue: 8)
        /// A tilde at the start, or after `=` or `:`.
        package static let tilde = Marks(rawValue: 16)
        /// A tilde or a caret anywhere (zsh's extended globs), or `@{letters or digits}` (zsh's option `brace_ccl`).
        package static let caret = Marks(rawValue: 32)
        /// `=` at the start, or after `=` or `:`: zsh looks the rest up in PATH.
        package static let equals = Marks(rawValue: 64)
        /// `*`, `?` or `[`.
        package static let glob = Marks(rawValue: 128)
    }

    package init(_ value: String, marks: Marks = [], isQuoted: Bool = false) {
        self.value = value
        self.marks = marks
        self.isQuoted = isQuoted
    }
}
