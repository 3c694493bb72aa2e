/// The two supported here documents, which agents use for commit messages: `"$(cat <<'WORD'`, lines, `WORD`, `)"` is
/// read as a literal word, and `git commit -F - <<'WORD'`, lines, `WORD` as the command without the here document.
extension ShellSplitter {
    private static let opening = Array("\"$(cat <<'".utf8)
    private static let closing = Array(")\"".utf8)

    /// Reads the whole word. Returns false, and reads nothing, at an ordinary double quote.
    mutating func hereDocumentWord(into draft: inout Draft) throws(ShellStop) -> Bool {
        guard !isMacBash, draft.value.isEmpty, !draft.isQuoted, starts(Self.opening, at: position) else { return false }
        let wordStart = position + Self.opening.count
        var wordEnd = wordStart
        while let next = byte(at: wordEnd), ShellCharacters.isLetter(next) { wordEnd += 1 }
        guard wordEnd > wordStart, byte(at: wordEnd) == UInt8(ascii: "'"), byte(at: wordEnd + 1) == UInt8(ascii: "\n")
        else { return false }
        let bodyStart = wordEnd + 2
        let bodyEnd = try endOfBody(from: bodyStart, word: Array(bytes[wordStart..<wordEnd]), mayEndLine: false)
        let close = bodyEnd + (wordEnd - wordStart) + 1
        guard starts(Self.closing, at: close), closesWord(at: close + 2) else { throw stop(.hereDocumentBody) }
        var body = bytes[bodyStart..<bodyEnd]
        while body.last == UInt8(ascii: "\n") { body.removeLast() }
        draft.value += body
        draft.isQuoted = true
        position = close + 2
        return true
    }

    private static let inputOpening = Array("<<'".utf8)

    /// Reads `<<'WORD'`, the end of the line, the body and `WORD` directly after `git commit … -F -`. Returns false,
    /// and reads nothing, anywhere else.
    mutating func commitMessage() throws(ShellStop) -> Bool {
        guard starts(Self.inputOpening, at: position), readsMessage else { return false }
        let wordStart = position + Self.inputOpening.count
        var wordEnd = wordStart
        while let next = byte(at: wordEnd), ShellCharacters.isLetter(next) { wordEnd += 1 }
        guard wordEnd > wordStart, byte(at: wordEnd) == UInt8(ascii: "'"), byte(at: wordEnd + 1) == UInt8(ascii: "\n")
        else { return false }
        let word = Array(bytes[wordStart..<wordEnd])
        position = try endOfBody(from: wordEnd + 2, word: word, mayEndLine: true) + word.count
        isRedirected = true
        return true
    }

    /// True if the command so far is `git commit` and ends in `-F -`, so that its input is the message and nothing
    /// else.
    private var readsMessage: Bool {
        let command = commandWords.map(\.unquoted)
        return !isRedirected && command.starts(with: ["git", "commit"]) && command.suffix(2) == ["-F", "-"]
    }

    /// The offset of the first line that is `word`. Throws at a line that only begins with `word`: bash ends the body
    /// there.
    /// - Parameter mayEndLine: whether the text may end directly after `word`.
    private func endOfBody(from start: Int, word: [UInt8], mayEndLine: Bool) throws(ShellStop) -> Int {
        var line = start
        while line < bytes.count {
            if starts(word, at: line) {
                let behind = byte(at: line + word.count)
                guard behind == UInt8(ascii: "\n") || (mayEndLine && behind == nil) else {
                    throw stop(.hereDocumentBody)
                }
                return line
            }
            guard let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            line = end + 1
        }
        throw stop(.hereDocumentBody)
    }
}
