/// The members of a JSON object in their order. A lookup searches all members, because most objects are small.
package struct JSONObject: Sendable {
    struct Member: Sendable, Hashable {
        let key: String
        var value: JSON

        static func == (left: Member, right: Member) -> Bool {
            left.key.hasSameBytes(as: right.key) && left.value == right.value
        }

        func hash(into hasher: inout Hasher) {
            key.hashBytes(into: &hasher)
            hasher.combine(value)
        }
    }

    private(set) var members: [Member] = []

    package init() {}

    /// If a key is given twice, the last value counts, at the place of the first, as in JavaScript's `JSON.parse`.
    package init(_ pairs: some Sequence<(String, JSON)>) {
        var builder = JSONObjectBuilder()
        for (key, value) in pairs { builder.set(key, value) }
        self = builder.finish()
    }

    /// - Parameter pairs: members whose keys all differ; this is not checked.
    package init(distinct pairs: [(String, JSON)]) {
        members = pairs.map { Member(key: $0, value: $1) }
    }

    init(unique members: [Member]) {
        self.members = members
    }

    /// Setting a new key appends a member, setting nil removes it.
    package subscript(key: String) -> JSON? {
        get {
            members.first { $0.key.hasSameBytes(as: key) }?.value
        }
        set {
            switch (members.firstIndex { $0.key.hasSameBytes(as: key) }, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    package var keys: [String] {
        members.map(\.key)
    }

    /// The position of each key, to compare large objects in less than quadratic time.
    func index() -> [ExactString: Int] {
        Dictionary(members.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension JSONObject: Hashable {}

extension JSONObject: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { members.count }

    package subscript(position: Int) -> (key: String, value: JSON) {
        (members[position].key, members[position].value)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }
}
