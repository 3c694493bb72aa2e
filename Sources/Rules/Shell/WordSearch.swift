/// Searches texts for many words at once. Of each word the earliest find counts, by the place that the caller gives.
struct WordSearch {
    private struct Find {
        let place: Int
        let spelling: String
    }

    private let words: [(text: String, bytes: [UInt8])]
    private let indices: [String: Int]
    /// Indices of the words that begin with a byte.
    private let starts: [[Int]]
    private let longest: Int
    private var finds: [Find?]

    init(_ words: [String]) {
        self.words = words.map { ($0, Array($0.utf8)) }
        indices = Dictionary(zip(words, words.indices), uniquingKeysWith: { first, _ in first })
        var starts = [[Int]](repeating: [], count: 256)
        for (index, word) in self.words.enumerated() {
            if let byte = word.bytes.first { starts[Int(byte)].append(index) }
        }
        self.starts = starts
        longest = self.words.map(\.bytes.count).max() ?? 0
        finds = Array(repeating: nil, count: words.count)
    }

    /// The spelling in which the first of the words was found that was found at all.
    var first: String? {
        finds.lazy.compactMap { $0?.spelling }.first
    }

    /// Notes the name of a command, found as `spelling`.
    mutating func note(name: String, spelled spelling: String, at place: Int) {
        // Equivalent texts have at most three times the bytes, and a longer name takes long to compare.
        guard name.utf8.count <= 3 * longest, let index = indices[name] else { return }
        note(index, spelling, at: place)
    }

    /// Notes the words that the text contains without a letter, a digit or `_` next to them.
    mutating func look(in text: String, at place: Int) {
        let text = Array(text.utf8)
        for start in text.indices where start == 0 || !Self.isWordByte(text[start - 1]) {
            for index in starts[Int(text[start])] where Self.has(words[index].bytes, in: text, at: start) {
                note(index, words[index].text, at: place)
            }
        }
    }

    private mutating func note(_ index: Int, _ spelling: String, at place: Int) {
        if let known = finds[index], known.place <= place { return }
        finds[index] = Find(place: place, spelling: spelling)
    }

    private static func has(_ word: [UInt8], in text: [UInt8], at start: Int) -> Bool {
        let end = start + word.count
        guard end <= text.count, end == text.count || !isWordByte(text[end]) else { return false }
        return text[start..<end].elementsEqual(word)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || byte == UInt8(ascii: "_")
    }
}
