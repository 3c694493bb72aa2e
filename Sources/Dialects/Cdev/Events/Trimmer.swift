import OrderedJSON

/// Cuts the longest strings of an object until it fits. Each cut path is listed in `truncated` with its full length in
/// bytes of UTF-8. Members that identify a request or a session are never cut.
struct Trimmer {
    private let limit: Int
    /// Cut paths in the order of the cuts. Made an object only at the end: setting a member of a large object is slow.
    private var truncated: [(String, JSON)] = []

    /// Bytes. A shorter string is never cut; an object made of such strings loses whole members instead.
    private static let shortest = 64
    private static let untouchable = [
        "confirm", "created_at", "deadline", "event", "options", "opening", "request_id", "sequence", "session_id",
        "timestamp",
        "tool_use_id", "truncated", "type", "workspace_id",
    ]
    /// Bytes. A member of these names is never that long by itself, but hooks bring members of any name and size: a
    /// longer value is cut like any other.
    private static let longestUntouchable = 2048

    /// - Parameter limit: Bytes of the serialized object.
    static func fit(_ object: JSONObject, into limit: Int) -> JSONObject {
        // JSON writes a byte with at most six. Nearly every object is small enough by this bound, so that its length
        // need not be computed.
        if JSON.object(object).footprint <= limit / 6 { return object }
        let length = JSON.object(object).length
        if length <= limit { return object }
        var trimmer = Trimmer(limit: limit)
        return trimmer.trimmed(object, length)
    }

    private init(limit: Int) {
        self.limit = limit
    }

    private mutating func trimmed(_ object: JSONObject, _ length: Int) -> JSONObject {
        guard let longest = longestKept(in: object, length) else { return withoutLargestMembers(object) }
        var members: [(String, JSON)] = []
        for (key, value) in object {
            let isKept = Self.isUntouchable(key, value)
            members.append((key, isKept ? value : cut(value, at: JSONPath.root.member(key), to: longest)))
        }
        let result = Self.object(members, truncated)
        return JSON.object(result).length <= limit ? result : withoutLargestMembers(object)
    }

    private static func object(_ members: [(String, JSON)], _ truncated: [(String, JSON)]) -> JSONObject {
        var object = JSONObject(members)
        object["truncated"] = .object(JSONObject(truncated))
        return object
    }

    private static func isUntouchable(_ key: String, _ value: JSON) -> Bool {
        untouchable.contains(where: key.hasSameBytes) && value.length <= longestUntouchable
    }

    /// The length in bytes, escapes included, to which the longest strings are cut; nil if cutting strings is not
    /// enough.
    private func longestKept(in object: JSONObject, _ length: Int) -> Int? {
        var leaves: [(length: Int, cost: Int)] = []
        for (key, value) in object where !Self.isUntouchable(key, value) {
            Self.collect(value, depth: JSONPath.root.member(key).text.utf8.count, into: &leaves)
        }
        leaves.sort { $0.length > $1.length }
        // Room for `"truncated":{}` and its comma.
        var rest = length + 16
        for (index, leaf) in leaves.enumerated() {
            rest += leaf.cost - leaf.length
            let kept = (limit - rest) / (index + 1)
            if kept >= (index + 1 < leaves.count ? leaves[index + 1].length : 0) {
                return kept >= Self.shortest ? kept : nil
            }
        }
        return nil
    }

    /// Appends the length of each string, and the bytes that its entry in `truncated` costs.
    private static func collect(_ value: JSON, depth: Int, into leaves: inout [(length: Int, cost: Int)]) {
        switch value {
        case .string(let text):
            let length = text.escapedLength
            if length > shortest { leaves.append((length, 2 * depth + 16)) }
        case .array(let elements):
            for element in elements { collect(element, depth: depth + 10, into: &leaves) }
        case .object(let object):
            for (key, element) in object { collect(element, depth: depth + key.utf8.count + 6, into: &leaves) }
        default: break
        }
    }

    private mutating func cut(_ value: JSON, at path: JSONPath, to longest: Int) -> JSON {
        switch value {
        case .string(let text):
            guard text.utf8.count > Self.shortest || text.escapedLength > Self.shortest,
                let shorter = text.cut(toEscapedLength: longest)
            else { return value }
            truncated.append((path.text, .count(text.utf8.count)))
            return .string(shorter)
        case .array(let elements):
            return .array(elements.enumerated().map { cut($1, at: path.element($0), to: longest) })
        case .object(let object):
            return .object(JSONObject(object.map { ($0.key, cut($0.value, at: path.member($0.key), to: longest)) }))
        default: return value
        }
    }

    /// Empties the largest members, for objects whose size is not in their strings.
    private func withoutLargestMembers(_ object: JSONObject) -> JSONObject {
        var emptied: Set<ExactString> = []
        var gone: [(String, JSON)] = []
        let whole = JSON.object(object).length
        var length = whole + 16
        let largest = object.filter { !Self.isUntouchable($0.key, $0.value) }
            .map { (key: $0.key, length: $0.value.length) }.sorted { $0.length > $1.length }
        for member in largest where length > limit && member.length > Self.shortest {
            let path = JSONPath.root.member(member.key).text
            emptied.insert(ExactString(member.key))
            gone.append((path, .count(member.length)))
            length += 2 * path.utf8.count + 24 - member.length
        }
        let members = object.map { key, value in (key, emptied.contains(ExactString(key)) ? value.emptied : value) }
        let result = Self.object(members, gone)
        return JSON.object(result).length <= limit ? result : withoutMostMembers(object, whole)
    }

    /// Leaves out the members that do not fit, for objects whose size is in the names and number of their members.
    private func withoutMostMembers(_ object: JSONObject, _ length: Int) -> JSONObject {
        let truncated = [(JSONPath.root.text, JSON.count(length))]
        let kept = object.filter { Self.isUntouchable($0.key, $0.value) && !Self.isTruncated($0.key) }
        var left = limit - 64 - kept.reduce(0) { $0 + Self.length(of: $1) }
        let members = object.filter { member in
            if Self.isTruncated(member.key) { return false }
            if Self.isUntouchable(member.key, member.value) { return true }
            let length = Self.length(of: member)
            guard length <= left else { return false }
            left -= length
            return true
        }
        return Self.object(members.map { ($0.key, $0.value) }, truncated)
    }

    private static func isTruncated(_ key: String) -> Bool {
        key.hasSameBytes(as: "truncated")
    }

    private static func length(of member: (key: String, value: JSON)) -> Int {
        member.key.escapedLength + member.value.length + 4
    }
}

extension JSON {
    /// An empty value of the same type.
    fileprivate var emptied: JSON {
        switch self {
        case .array: []
        case .object: [:]
        case .string: ""
        default: .null
        }
    }
}
