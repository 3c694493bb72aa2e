import OrderedJSON
import Text

/// A tool's input in the form that the tool history keeps.
struct ShortInput: Sendable {
    let value: JSON
    /// Bytes of the whole input where it was cut, else `nil`.
    let wholeLength: Int?
}

extension JSON {
    /// Cuts every long string, and drops everything after about 4,000 kept bytes, since a history must not keep whole
    /// files.
    func shortened() -> ShortInput {
        var room = Self.shortenedLimit
        let value = shortened(&room)
        // A value this small was not cut.
        guard footprint > Self.stringLimit, value != self else { return ShortInput(value: value, wholeLength: nil) }
        return ShortInput(value: value, wholeLength: serializedBytes().count)
    }

    /// The most bytes kept of one string, and about the most of a whole value.
    private static let stringLimit = 1000
    private static let shortenedLimit = 4000

    private func shortened(_ room: inout Int) -> JSON {
        room -= 16
        switch self {
        case .array(let items): return .array(Self.fitting(items, &room) { $0.shortened(&$1) })
        case .object(let object):
            let members = Self.fitting(object, &room) { (Self.kept($0.key, &$1), $0.value.shortened(&$1)) }
            return .object(JSONObject(members))
        case .string(let text): return .string(Self.kept(text, &room))
        // A number of that many digits is cut like a string: no program computes with it.
        case .number(let number) where number.spelling.utf8.count > 64:
            return .string(Self.kept(number.spelling, &room))
        default: return self
        }
    }

    private static func kept(_ text: String, _ room: inout Int) -> String {
        let kept = text.utf8.count > stringLimit ? text.cut(to: stringLimit) + "…" : text
        room -= kept.utf8.count
        return kept
    }

    private static func fitting<Item, Result>(
        _ items: some Sequence<Item>, _ room: inout Int, _ shorten: (Item, inout Int) -> Result
    ) -> [Result] {
        var kept: [Result] = []
        for item in items {
            guard room > 0 else { break }
            kept.append(shorten(item, &room))
        }
        return kept
    }
}

extension String {
    /// At most `limit` bytes, without half a scalar at the end.
    package func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
