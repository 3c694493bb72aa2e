/// Special forms that agents use every day, accepted only in these exact spellings. bash and zsh read them alike, or
/// one expands them to nothing.
extension ShellSplitter {
    /// The words of the current command so far, without its prefix (see `CommandPrefix`).
    var commandWords: ArraySlice<ShellWord> { words[CommandPrefix.length(of: words)...] }

    /// Reads find's `\(` or `\)` as a word of its own; returns false, and reads nothing, for anything else.
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

    /// Reads `${PIPESTATUS[0]}`, the status of a command in a pipeline: bash expands it, zsh to nothing. The end of the
    /// word, a comma or a double quote must follow. Returns false, and reads nothing, for anything else.
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
