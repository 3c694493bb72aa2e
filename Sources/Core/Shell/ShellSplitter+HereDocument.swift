/// The one here document that counts as a literal word, because commit messages are written so:
/// `"$(cat <<'WORD'`, lines, `WORD`, `)"`.
extension ShellSplitter {
    private static let opening = Array("\"$(cat <<'".utf8)
    private static let closing = Array(")\"".utf8)

    /// Takes the whole word; false where this is an ordinary double quote.
    mutating func hereDocumentWord(into draft: inout Draft) throws(ShellStop) -> Bool {
        guard !isMacBash, draft.value.isEmpty, !draft.isQuoted, starts(Self.opening, at: position) else { return false }
        let wordStart = position + Self.opening.count
        var wordEnd = wordStart
        while let next = byte(at: wordEnd), ShellCharacters.isLetter(next) { wordEnd += 1 }
        guard wordEnd > wordStart, byte(at: wordEnd) == UInt8(ascii: "'"), byte(at: wordEnd + 1) == UInt8(ascii: "\n")
        else { return false }
        let bodyStart = wordEnd + 2
        let bodyEnd = try endOfBody(from: bodyStart, word: Array(bytes[wordStart..<wordEnd]))
        let close = bodyEnd + (wordEnd - wordStart) + 1
        guard starts(Self.closing, at: close), closesWord(at: close + 2) else { throw stop(.hereDocumentBody) }
        var body = bytes[bodyStart..<bodyEnd]
        while body.last == UInt8(ascii: "\n") { body.removeLast() }
        draft.value += body
        draft.isQuoted = true
        position = close + 2
        return true
    }

    /// Where the first line begins that is `word`. A line that only begins with it stops: bash ends the body there.
    private func endOfBody(from start: Int, word: [UInt8]) throws(ShellStop) -> Int {
        var line = start
        while line < bytes.count {
            if starts(word, at: line) {
                guard byte(at: line + word.count) == UInt8(ascii: "\n") else { throw stop(.hereDocumentBody) }
                return line
            }
            guard let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            line = end + 1
        }
        throw stop(.hereDocumentBody)
    }
}
