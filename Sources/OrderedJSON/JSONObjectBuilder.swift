/// Collects members. From `indexedFrom` members on it keeps an index, so that a hostile object of a million keys takes
/// linear time.
struct JSONObjectBuilder {
    private static let indexedFrom = 16

    private var members: [JSONObject.Member] = []
    private var index = KeyIndex()

    mutating func set(_ key: String, _ value: JSON) {
        guard members.count >= Self.indexedFrom else {
            if let place = members.firstIndex(where: { $0.key.hasSameBytes(as: key) }) {
                members[place].value = value
            } else {
                members.append(JSONObject.Member(key: key, value: value))
            }
            return
        }
        if index.count == 0 { for member in members { index.append(KeyIndex.hash(of: member.key)) } }
        let hash = KeyIndex.hash(of: key)
        if let place = index.place(of: hash, where: { members[$0].key.hasSameBytes(as: key) }) {
            members[place].value = value
        } else {
            members.append(JSONObject.Member(key: key, value: value))
            index.append(hash)
        }
    }

    func finish() -> JSONObject {
        JSONObject(unique: members)
    }
}

/// A hash table from keys to their positions. A `Dictionary` hashes each key again and retains it whenever it grows:
/// for a million keys that takes longer than reading them.
private struct KeyIndex {
    /// The hash of the key at each position.
    private var hashes: [Int] = []
    /// Each slot holds a position plus one, or 0 if it is free. Open addressing, at most half full.
    private var slots: [Int32] = []

    var count: Int { hashes.count }

    /// `Hasher` is seeded anew in each process, so nobody can send keys that all fall into one slot.
    static func hash(of key: String) -> Int {
        var hasher = Hasher()
        key.hashBytes(into: &hasher)
        return hasher.finalize()
    }

    func place(of hash: Int, where isKey: (_ place: Int) -> Bool) -> Int? {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if hashes[place] == hash, isKey(place) { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds the hash of the next position. Its key must not be in the table yet.
    mutating func append(_ hash: Int) {
        hashes.append(hash)
        if hashes.count * 2 > slots.count {
            slots = Array(repeating: 0, count: max(64, slots.count * 2))
            for place in hashes.indices { enter(place) }
        } else {
            enter(hashes.count - 1)
        }
    }

    private mutating func enter(_ place: Int) {
        let mask = slots.count - 1
        var slot = hashes[place] & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = Int32(place + 1)
    }
}
