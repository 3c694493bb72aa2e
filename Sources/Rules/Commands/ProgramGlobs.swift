/// The readings of a quoted word by programs that expand globs themselves.
enum ProgramGlobs {
    /// The most braces and readings of a word; more would cost too many lookups on the disk.
    private static let mostBraces = 8
    private static let mostReadings = 64

    /// The word, and if it has braces or backslashes also the word without backslashes and its expansions; nil where
    /// there are too many.
    static func readings(of word: [UInt8]) -> [[UInt8]]? {
        guard word.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\\") }) else { return [word] }
        let plain = word.filter { $0 != UInt8(ascii: "\\") }
        guard plain.count(where: { $0 == UInt8(ascii: "{") }) <= mostBraces else { return nil }
        return expansions(of: plain[...]).map { [word, plain] + $0 }
    }

    /// `a{b,c}d` becomes `abd` and `acd`. `{b}` becomes `b`, as in some programs. Nil for ranges.
    private static func expansions(of word: ArraySlice<UInt8>) -> [[UInt8]]? {
        guard let open = word.firstIndex(of: UInt8(ascii: "{")) else { return [Array(word)] }
        guard let (alternatives, close) = group(in: word, at: open) else {
            return expansions(of: word[(open + 1)...]).map { $0.map { word[...open] + $0 } }
        }
        if alternatives.count == 1, zip(alternatives[0], alternatives[0].dropFirst()).contains(where: isRange) {
            return nil
        }
        guard let ends = expansions(of: word[(close + 1)...]) else { return nil }
        var found: [[UInt8]] = []
        for alternative in alternatives {
            guard let middles = expansions(of: alternative) else { return nil }
            for middle in middles { found += ends.map { word[..<open] + middle + $0 } }
            guard found.count <= mostReadings else { return nil }
        }
        return found
    }

    private static func isRange(_ byte: UInt8, _ next: UInt8) -> Bool {
        byte == UInt8(ascii: ".") && next == UInt8(ascii: ".")
    }

    /// The alternatives between a brace and its closing brace, split at commas; nil if the brace is not closed.
    private static func group(
        in word: ArraySlice<UInt8>, at open: Int
    ) -> (alternatives: [ArraySlice<UInt8>], close: Int)? {
        var alternatives: [ArraySlice<UInt8>] = []
        var start = open + 1
        var depth = 0
        for index in start..<word.endIndex {
            switch word[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}") where depth > 0: depth -= 1
            case UInt8(ascii: "}"): return (alternatives + [word[start..<index]], index)
            case UInt8(ascii: ",") where depth == 0:
                alternatives.append(word[start..<index])
                start = index + 1
            default: break
            }
        }
        return nil
    }
}
