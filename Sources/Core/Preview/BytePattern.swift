/// Finds a text in another in linear time (Knuth, Morris, Pratt), so that hostile texts cannot make it slow.
struct BytePattern {
    private let bytes: [UInt8]
    /// For each prefix, the length of the longest shorter prefix that is also its suffix.
    private let fallback: [Int]

    /// - Parameter bytes: The text to find; not empty.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var fallback = [Int](repeating: 0, count: bytes.count)
        var matched = 0
        for index in bytes.indices.dropFirst() {
            while matched > 0, bytes[index] != bytes[matched] { matched = fallback[matched - 1] }
            if bytes[index] == bytes[matched] { matched += 1 }
            fallback[index] = matched
        }
        self.fallback = fallback
    }

    /// Offsets of its occurrences from the start, none overlapping another.
    func places(in text: [UInt8]) -> [Int] {
        var places: [Int] = []
        var matched = 0
        for (index, byte) in text.enumerated() {
            while matched > 0, byte != bytes[matched] { matched = fallback[matched - 1] }
            if byte == bytes[matched] { matched += 1 }
            guard matched == bytes.count else { continue }
            places.append(index + 1 - matched)
            matched = 0
        }
        return places
    }
}
