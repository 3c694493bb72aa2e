/// Places in a list of words, one bit each, so that 64 of them are looked at in one step.
struct PlaceSet {
    private var parts: [UInt64]

    /// - Parameter count: the number of places.
    init(count: Int) {
        parts = [UInt64](repeating: 0, count: count / 64 + 1)
    }

    var isEmpty: Bool { parts.allSatisfy { $0 == 0 } }

    func contains(_ place: Int) -> Bool { parts[place / 64] >> UInt64(place % 64) & 1 == 1 }

    mutating func insert(_ place: Int) { parts[place / 64] |= 1 << UInt64(place % 64) }

    func union(_ other: PlaceSet) -> PlaceSet {
        var found = self
        for index in parts.indices { found.parts[index] |= other.parts[index] }
        return found
    }

    /// The places behind those that are in `other` too.
    func behind(_ other: PlaceSet) -> PlaceSet {
        var found = self
        var carry: UInt64 = 0
        for index in parts.indices {
            let both = parts[index] & other.parts[index]
            found.parts[index] = both << 1 | carry
            carry = both >> 63
        }
        return found
    }

    /// These places, and those that are reached from them over places of `skipped` alone: where a sum meets a row of ones,
    /// it carries to the end of it.
    func over(_ skipped: PlaceSet) -> PlaceSet {
        var found = self
        var carry = false
        for index in parts.indices {
            let row = skipped.parts[index]
            let (first, isOver) = (parts[index] & row).addingReportingOverflow(row)
            let (sum, isMore) = first.addingReportingOverflow(carry ? 1 : 0)
            found.parts[index] |= sum ^ row
            carry = isOver || isMore
        }
        return found
    }
}
