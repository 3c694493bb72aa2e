/// The prefix of a command that does not count for its key: harmless assignments and `timeout N`.
enum CommandPrefix {
    /// Variables that change what programs print or whether they prompt, never what is run.
    static let variables: Set<String> = [
        "CI", "FORCE_COLOR", "NO_COLOR", "PYTHONUNBUFFERED", "RUST_BACKTRACE", "RUST_LOG",
    ]

    /// The number of words in the prefix: assignments, then `timeout N`. 0 where no command or `cd` would follow. A
    /// quoted word is never part of the prefix.
    static func length(of words: [ShellWord]) -> Int {
        var count = 0
        while count < words.count, isAssignment(words[count]) { count += 1 }
        if count + 1 < words.count, words[count].unquoted == "timeout", isDuration(words[count + 1].unquoted) {
            let afterTimeout = count + 2
            if afterTimeout < words.count, words[afterTimeout].value != "cd" { return afterTimeout }
        }
        return count < words.count && words[count].value != "cd" ? count : 0
    }

    /// The command that `timeout` would run, whatever its options; the words themselves where there is none.
    static func withoutTimeout(_ words: ArraySlice<String>) -> ArraySlice<String> {
        guard words.first == "timeout" else { return words }
        var rest = words.dropFirst()
        while let word = rest.first, word.utf8.first == UInt8(ascii: "-") {
            rest = rest.dropFirst(takesNext(word, ["-k", "-s", "--kill-after", "--signal"]) ? 2 : 1)
        }
        return rest.count > 1 ? rest.dropFirst() : words
    }

    /// True for an option whose value is the next word, also as the last of several letters: `-rn 1`.
    static func takesNext(_ word: String, _ valued: Set<String>) -> Bool {
        guard !valued.contains(word) else { return true }
        guard word.utf8.count > 2, !word.hasPrefix("--") else { return false }
        let letters = word.dropFirst()
        return letters.firstIndex { valued.contains("-\($0)") } == letters.indices.last
    }

    private static func isAssignment(_ word: ShellWord) -> Bool {
        let raw = word.unquoted
        guard word.marks.isEmpty, let sign = raw.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return variables.contains(String(raw[..<sign])) && raw.utf8[raw.utf8.index(after: sign)...].allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }

    /// `[0-9]+[smh]?`
    private static func isDuration(_ text: String) -> Bool {
        var digits = text.utf8[...]
        if let last = digits.last, last == UInt8(ascii: "s") || last == UInt8(ascii: "m") || last == UInt8(ascii: "h") {
            digits.removeLast()
        }
        return !digits.isEmpty && digits.allSatisfy(ShellCharacters.isDigit)
    }
}
