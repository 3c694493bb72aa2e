/// Just enough JSON for a relay: which event a hook's input tells of, and whether an answer is one whole object.
enum JSONText {
    /// The event that a hook's input tells of, as far as the relay must know it.
    enum Event {
        case preToolUse, permissionRequest, other
        /// Grok's: it has `hookEventName`, and no `hook_event_name` before that.
        case grokPreToolUse
        /// Neither name at the top with a plain string as its value.
        case unknown
    }

    /// Looks at the keys of the outermost object only; the text may break off after the one it looks for.
    static func event(_ text: Span<UInt8>) -> Event {
        var at = skipSpace(text, 0)
        guard at < text.count, text[at] == UInt8(ascii: "{") else { return .unknown }
        var depth = 0
        var atKey = false
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                guard let end = stringEnd(text, at) else { return .unknown }
                if atKey, equals(text, at + 1, end, "hook_event_name") { return eventValue(text, end + 1) }
                if atKey, equals(text, at + 1, end, "hookEventName") { return grokEventValue(text, end + 1) }
                atKey = false
                at = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                atKey = depth == 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return .unknown }
            case UInt8(ascii: ","): atKey = depth == 1
            default: break
            }
            at += 1
        }
        return .unknown
    }

    /// Whether the text is an object whose brackets and strings are all closed, with nothing but space around it: an
    /// answer that was cut short is not.
    static func isWholeObject(_ text: Span<UInt8>) -> Bool {
        var at = skipSpace(text, 0)
        guard at < text.count, text[at] == UInt8(ascii: "{") else { return false }
        var depth = 0
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                guard let end = stringEnd(text, at) else { return false }
                at = end
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return text[at] == UInt8(ascii: "}") && skipSpace(text, at + 1) == text.count }
            default: break
            }
            at += 1
        }
        return false
    }

    private static func eventValue(_ text: Span<UInt8>, _ start: Int) -> Event {
        guard let value = stringValue(text, start) else { return .unknown }
        if equals(text, value.lowerBound, value.upperBound, "PreToolUse") { return .preToolUse }
        if equals(text, value.lowerBound, value.upperBound, "PermissionRequest") { return .permissionRequest }
        return .other
    }

    private static func grokEventValue(_ text: Span<UInt8>, _ start: Int) -> Event {
        guard let value = stringValue(text, start) else { return .unknown }
        return equals(text, value.lowerBound, value.upperBound, "pre_tool_use") ? .grokPreToolUse : .other
    }

    /// Where the string behind a colon lies, without its quotes; nil where it is empty or something else.
    private static func stringValue(_ text: Span<UInt8>, _ start: Int) -> Range<Int>? {
        var at = skipSpace(text, start)
        guard at < text.count, text[at] == UInt8(ascii: ":") else { return nil }
        at = skipSpace(text, at + 1)
        guard at < text.count, text[at] == UInt8(ascii: "\""), let end = stringEnd(text, at), end > at + 1 else {
            return nil
        }
        return at + 1..<end
    }

    private static func skipSpace(_ text: Span<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < text.count, text[at] == 0x20 || (0x09...0x0A).contains(text[at]) || text[at] == 0x0D { at += 1 }
        return at
    }

    /// Where the closing quote of the string that begins at `start` is; nil where it has none.
    private static func stringEnd(_ text: Span<UInt8>, _ start: Int) -> Int? {
        var at = start + 1
        while at < text.count {
            if text[at] == UInt8(ascii: "\"") { return at }
            at += text[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func equals(_ text: Span<UInt8>, _ start: Int, _ end: Int, _ word: StaticString) -> Bool {
        guard end - start == word.utf8CodeUnitCount else { return false }
        for at in start..<end where text[at] != word.utf8Start[at - start] { return false }
        return true
    }
}
