/// Collects members; beyond a handful it keeps an index, so that a hostile object of a million keys costs linear time.
struct JSONObjectBuilder {
    private static let indexedFrom = 16

    private var members: [JSONObject.Member] = []
    private var index: [ExactString: Int] = [:]

    mutating func set(_ key: String, _ value: JSON) {
        if let place = place(of: key) {
            members[place].value = value
        } else {
            members.append(JSONObject.Member(key: key, value: value))
            keepIndex()
        }
    }

    func finish() -> JSONObject {
        JSONObject(unique: members)
    }

    private func place(of key: String) -> Int? {
        members.count < Self.indexedFrom
            ? members.firstIndex { $0.key.hasSameBytes(as: key) }
            : index[ExactString(key)]
    }

    private mutating func keepIndex() {
        if members.count > Self.indexedFrom {
            index[ExactString(members[members.count - 1].key)] = members.count - 1
        } else if members.count == Self.indexedFrom {
            for (place, member) in members.enumerated() { index[ExactString(member.key)] = place }
        }
    }
}
