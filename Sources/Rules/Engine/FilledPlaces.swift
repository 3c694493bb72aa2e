/// Programs that run a command for each name they read or find, and put the name into the command: `xargs -I@ git @`,
/// `find . -exec git {} \;`, `parallel git ::: push`.
enum FilledPlaces {
    /// What stands for such a name, which may be any word. Also in a text it counts as an expansion.
    static let input = "$_"

    /// The command with an expansion for each name that is put into it or behind it. Nil where no such program is named.
    static func filled(_ words: [String]) -> [String]? {
        guard let start = words.firstIndex(where: { programs[DeniedCommand.baseName($0)] != nil }) else { return nil }
        let adds = programs[DeniedCommand.baseName(words[start])] == true
        let rest = words[start...].dropFirst().prefix { !adds || !$0.utf8.starts(with: ":::".utf8) }
        // find has options such as `-execdir` and `-iname`, and no place but `{}`.
        let places = adds ? places(in: rest) : [Array("/_".utf8)]
        return words[...start] + rest.map { filled($0, places) } + (adds ? [input] : [])
    }

    /// The programs; true for those that put the names behind the command, too.
    private static let programs: [String: Bool] = [
        "entr": false, "fd": true, "fdfind": true, "find": false, "gfind": false, "gxargs": true, "parallel": true,
        "rush": true, "sem": true, "xargs": true, "zargs": true,
    ]

    /// The texts in whose place an option has the name put, also the last of several letters: `-I @`, `-0I@`, `-i@`,
    /// `--replace=@`, BSD's `-J @`. The last option counts.
    private static func places(in words: ArraySlice<String>) -> [[UInt8]] {
        var found: [String: [UInt8]] = [:]
        for (word, next) in zip(words, words.dropFirst() + [""]) where word.utf8.first == UInt8(ascii: "-") {
            if word.utf8.starts(with: "--replace=".utf8) { found["I"] = Array(word.utf8.dropFirst(10)) }
            guard word.utf8.dropFirst().first != UInt8(ascii: "-"),
                let letter = word.utf8.firstIndex(where: { "IJi".utf8.contains($0) })
            else { continue }
            let attached = word.utf8[letter...].dropFirst()
            let isOptional = word.utf8[letter] == UInt8(ascii: "i")
            let name = word.utf8[letter] == UInt8(ascii: "J") ? "J" : "I"
            if !attached.isEmpty || !isOptional { found[name] = Array(attached.isEmpty ? next.utf8[...] : attached) }
        }
        return found.values.filter { !$0.isEmpty } + [Array("/_".utf8)]
    }

    private static func filled(_ word: String, _ places: [[UInt8]]) -> String {
        let bytes = Array(word.utf8)
        guard bytes.contains(UInt8(ascii: "{")) || places.contains(where: { bytes.count >= $0.count }) else {
            return word
        }
        var filled: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if let count = lengthOfPlace(at: rest, places) {
                filled += input.utf8
                rest = rest.dropFirst(count)
            } else {
                filled.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    /// The bytes of a place at the beginning of a text: one of the given, or `{}`, `{/.}`, `{1}` and the like.
    private static func lengthOfPlace(at text: ArraySlice<UInt8>, _ places: [[UInt8]]) -> Int? {
        if let place = places.first(where: { text.starts(with: $0) }) { return place.count }
        guard text.first == UInt8(ascii: "{") else { return nil }
        let name = text.dropFirst().prefix(longestName).prefix {
            ShellCharacters.isAlphanumeric($0) || "_./#%@:-".utf8.contains($0)
        }
        return text.dropFirst(name.count + 1).first == UInt8(ascii: "}") ? name.count + 2 : nil
    }

    private static let longestName = 16
}
