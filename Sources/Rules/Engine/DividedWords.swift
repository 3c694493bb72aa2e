import Text

/// Words of which an expansion makes several: `git${IFS}push`.
enum DividedWords {
    /// The command with each `$IFS` as the blank that divides a word, and with the program's word divided at any other
    /// expansion, since nobody can tell what `git$x` becomes. Nil where no word can be divided.
    static func divided(_ words: [String]) -> [String]? {
        var divided = words.flatMap { $0.holds("IFS") ? pieces(of: $0) : [$0] }
        if let name = divided.first, let sign = name.utf8.firstIndex(of: UInt8(ascii: "$")), sign > name.startIndex,
            !name.utf8.contains(UInt8(ascii: "/"))
        {
            divided.replaceSubrange(0..<1, with: [String(name[..<sign]), FilledPlaces.input])
        }
        return divided.isEmpty || divided == words ? nil : divided
    }

    private static func pieces(of word: String) -> [String] {
        var pieces: [[UInt8]] = [[]]
        var rest = Array(word.utf8)[...]
        while let byte = rest.first {
            if let count = lengthOfBlank(at: rest) {
                pieces.append([])
                rest = rest.dropFirst(count)
            } else {
                pieces[pieces.count - 1].append(byte)
                rest = rest.dropFirst()
            }
        }
        return pieces.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of `$IFS` or `${IFS…}` at the beginning of a text.
    private static func lengthOfBlank(at text: ArraySlice<UInt8>) -> Int? {
        if text.starts(with: "$IFS".utf8) { return 4 }
        guard text.starts(with: "${IFS".utf8) else { return nil }
        return text.prefix(longest).firstIndex(of: UInt8(ascii: "}")).map { $0 - text.startIndex + 1 }
    }

    /// The longest `${IFS…}`, so that many without an end are not searched again and again.
    private static let longest = 64
}
