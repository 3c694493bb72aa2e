/// The reason and the place where a line is not understood.
package struct ShellStop: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        case ampersand = "`&` outside `&&`, `|&` and the harmless redirections"
        case backslash = "a backslash outside quotes, or before the end of a line"
        case backtick = "a backtick"
        case comment = "`#` at the start of a word or right behind a quote"
        case dollarQuote = "`$'…'` or `$\"…\"`"
        case emptyCommand = "a command is missing"
        case expansion = "`$(`, `${` or `$[`"
        case firstWord = "the first word of a command holds more than letters, digits and `_ . / + -`"
        case hereDocument = "`<<`"
        case hereDocumentBody = "a here document that shells end at different places"
        case hiddenCharacter = "a control, zero-width, bidirectional or unusual white-space character"
        case length = "the line is over 16 KiB"
        case parenthesis = "a parenthesis"
        case quoteBehindQuote = "`'` right behind a closing `'`"
        case redirection = "a redirection other than to or from /dev/null and between standard output and error"
        case reservedWord = "a reserved word of bash or zsh"
        case unbalancedQuote = "a quote is not closed"
    }

    package let reason: Reason
    /// The position in bytes of the line's UTF-8.
    package let offset: Int

    package var description: String { "\(reason.rawValue), at byte \(offset)" }
}
