/// Two scans of JSON text without a parser: for the event of a hook's input, and for an answer that is one whole
/// object.
enum JSONText {
    /// The event of a hook's input, as far as the relay distinguishes events.
    enum Event {
        case preToolUse, permissionRequest, other
        /// The start or the end of a session by `/clear`: the daemon looks at the sender, which has to live so long.
        case clear
        /// The end of a tool's run, where the daemon may have words for the model.
        case toolEnd
        /// Grok's PreToolUse, whose input has `hookEventName` and no `hook_event_name` before that.
        case grokPreToolUse
        /// The outermost object has neither member, or the first of them is no string or an empty one.
        case unknown
    }

    /// Finds the event. Reads the keys of the outermost object only; the text may be truncated after the event's value.
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

    /// True if the text is one object whose brackets and strings are all closed, with only white space around it. A
    /// truncated answer is not.
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
        let isBoundary =
            equals(text, value.lowerBound, value.upperBound, "SessionStart")
            || equals(text, value.lowerBound, value.upperBound, "SessionEnd")
        // Its place in the text does not matter: a wait that was not needed costs half a millisecond.
        if isBoundary { return contains(text, "\"clear\"") ? .clear : .other }
        return equals(text, value.lowerBound, value.upperBound, "PostToolUse") ? .toolEnd : .other
    }

    private static func grokEventValue(_ text: Span<UInt8>, _ start: Int) -> Event {
        guard let value = stringValue(text, start) else { return .unknown }
        return equals(text, value.lowerBound, value.upperBound, "pre_tool_use") ? .grokPreToolUse : .other
    }

    /// The range of the string after a colon, without its quotes; nil for an empty string or another value.
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

    /// The index of the closing quote of the string that begins at `start`; nil if there is none.
    private static func stringEnd(_ text: Span<UInt8>, _ start: Int) -> Int? {
        var at = start + 1
        while at < text.count {
            if text[at] == UInt8(ascii: "\"") { return at }
            at += text[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func contains(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard text.count >= length else { return false }
        for at in 0...text.count - length where equals(text, at, at + length, word) { return true }
        return false
    }

    private static func equals(_ text: Span<UInt8>, _ start: Int, _ end: Int, _ word: StaticString) -> Bool {
        guard end - start == word.utf8CodeUnitCount else { return false }
        for at in start..<end where text[at] != word.utf8Start[at - start] { return false }
        return true
    }
}
