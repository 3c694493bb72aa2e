import OrderedJSON
import Text

/// An input as a history keeps it.
struct ShortInput: Sendable {
    let value: JSON
    /// Bytes of all of it, where it was cut.
    let wholeLength: Int?
}

extension JSON {
    /// The same value with every long string cut and, once all of it is large, without the rest: a history must not
    /// keep whole files. With it the bytes of all of it, where that is more.
    func shortened() -> ShortInput {
        var room = Self.shortenedLimit
        let value = shortened(&room)
        // So small a value was not cut.
        guard footprint > Self.stringLimit, value != self else { return ShortInput(value: value, wholeLength: nil) }
        return ShortInput(value: value, wholeLength: serializedBytes().count)
    }

    /// Bytes of one string, and of a whole value.
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
        // Digits without end are no number to anybody.
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
    /// At most so many bytes, without half a character at the end.
    fileprivate func cut(to limit: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
