import OrderedJSON

/// A list in an answer: each item is cut to its share, and what does not fit any more is counted in `more`.
struct Listing {
    /// What an item keeps even where there are many.
    private static let leastShare = 8192

    private(set) var items: [JSON] = []
    private(set) var more: Int

    /// - Parameters:
    ///   - values: Made one by one where they are lazy, and none behind the last that fits.
    ///   - more: Items there are beyond `values`.
    ///   - ceiling: Bytes of the whole answer.
    init(_ values: some Collection<JSONObject>, more: Int = 0, ceiling: Int) {
        self.more = more
        var left = ceiling - 256
        for (index, value) in values.enumerated() {
            let share = max(Self.leastShare, left / (values.count - index) - 1)
            let item = JSON.object(Trimmer.fit(value, into: share))
            left -= item.length + 1
            guard left >= 0 else {
                self.more += values.count - index
                break
            }
            items.append(item)
        }
    }

    /// `{name: […], "count": n, "more": m}`
    func object(_ name: String) -> JSONObject {
        [name: .array(items), "count": .count(items.count), "more": .count(more)]
    }
}
