import OrderedJSON

/// A list in a result: each item is cut to its share of the bytes, and items that do not fit are counted in `more`.
struct Listing {
    /// The least bytes that an item may keep, however many items there are.
    private static let leastShare = 8192

    private(set) var items: [JSON] = []
    private(set) var more: Int

    /// - Parameters:
    ///   - values: Items; a lazy collection makes none after the last that fits.
    ///   - more: Number of items that exist beyond `values`.
    ///   - ceiling: Bytes of the whole result.
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
