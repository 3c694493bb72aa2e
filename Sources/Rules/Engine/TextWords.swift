/// The words of a text that a program gets of which nobody knows here whether it runs it, in whatever language it is:
/// `erl -eval 'os:cmd("git push").'`, `expect -c 'spawn git push'`, `sqlite3 x '.shell git push'`.
struct TextWords {
    private(set) var words: [String] = []
    /// The places at which a command may begin: in prose, behind plain words, none does.
    private(set) var starts: Set<Int> = []

    /// The texts among the commands and behind them.
    static func texts(of commands: [[String]], _ inputs: [ShellGlance.Input]) -> [TextWords] {
        let operands = commands.flatMap { command -> [TextWords] in
            guard !LanguageTexts.knows(command) else { return [] }
            let texts = TextOperands.unknown(in: command)
            return texts.isEmpty ? [] : read(texts, of: command)
        }
        return operands + InputTexts.unknown(inputs).flatMap { read([$1], of: $0) }
    }

    private static func read(_ texts: [String], of command: [String]) -> [TextWords] {
        // sed has a command between two slashes: `s/x/git push/e`.
        let isDivided = command.contains { ["gsed", "sed"].contains(DeniedCommand.baseName($0)) }
        return texts.flatMap { [TextWords($0, "")] + (isDivided ? [TextWords($0, "/|,#@:")] : []) }
    }

    private init(_ text: String, _ dividing: String) {
        let bytes = text.utf8
        var place = bytes.startIndex
        var isBehindBlank = false
        while place < bytes.endIndex {
            let end = bytes[place...].firstIndex { !Self.isOfWord($0) || dividing.utf8.contains($0) } ?? bytes.endIndex
            if place < end {
                add(Array(bytes[place..<end]), isBehindBlank: isBehindBlank)
                isBehindBlank = true
                place = end
            } else {
                isBehindBlank = isBehindBlank && bytes[place] == UInt8(ascii: " ")
                place = bytes.index(after: place)
            }
        }
    }

    private mutating func add(_ bytes: [UInt8], isBehindBlank: Bool) {
        // vim's commands begin with a colon, and a sentence ends with a point.
        let inner = bytes.drop { $0 == UInt8(ascii: ":") }
        let count = inner.count - inner.reversed().prefix { ".:,".utf8.contains($0) }.count
        guard count > 0 else { return }
        let isPlain = words.last?.utf8.allSatisfy(ShellCharacters.isLetter) ?? false
        if !isBehindBlank || !isPlain || words.last.map(CodeStrings.starts) == true { starts.insert(words.count) }
        words.append(String(decoding: inner.prefix(count), as: UTF8.self))
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || byte >= 0x80 || "_./+@%~:,=-".utf8.contains(byte)
    }
}
