/// Finds a text in another in one pass (Knuth, Morris, Pratt): whoever chooses both texts cannot make it slow.
struct BytePattern {
    private let bytes: [UInt8]
    /// For each length of a beginning, how much of it a shorter beginning shares with its end.
    private let fallback: [Int]

    /// - Parameter bytes: not empty.
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

    /// Where it begins, from the start, none overlapping another.
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
