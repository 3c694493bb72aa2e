/// Forms that agents use every day, each as this very text: bash and zsh read them alike, or as nothing.
extension ShellSplitter {
    /// The words of the command so far, without what is passed over before it.
    var commandWords: ArraySlice<ShellWord> { words[CommandPrefix.length(of: words)...] }

    /// find's `\(` and `\)`, words of their own; false where something else stands here.
    mutating func parenthesisOfFind() -> Bool {
        guard byte(at: position) == UInt8(ascii: "\\"), let next = byte(at: position + 1),
            next == UInt8(ascii: "(") || next == UInt8(ascii: ")"), closesWord(at: position + 2),
            commandWords.first?.unquoted == "find"
        else { return false }
        append(ShellWord(String(UnicodeScalar(next)), isQuoted: true), from: position)
        position += 2
        return true
    }

    private static let pipeStatusStart = Array("${PIPESTATUS[".utf8)
    private static let pipeStatusEnd = Array("]}".utf8)

    /// `${PIPESTATUS[0]}`: the status of a command of a pipe in bash, nothing in zsh. It ends the word, or a blank, a comma
    /// or a closing quote follows; false where something else stands here.
    mutating func pipeStatus(into draft: inout Draft) -> Bool {
        let digit = position + Self.pipeStatusStart.count
        let end = digit + 1 + Self.pipeStatusEnd.count
        guard starts(Self.pipeStatusStart, at: position), let index = byte(at: digit), ShellCharacters.isDigit(index),
            starts(Self.pipeStatusEnd, at: digit + 1),
            closesWord(at: end) || byte(at: end) == UInt8(ascii: ",") || byte(at: end) == UInt8(ascii: "\"")
        else { return false }
        draft.marks.insert(.status)
        draft.value += bytes[position..<end]
        position = end
        return true
    }
}
