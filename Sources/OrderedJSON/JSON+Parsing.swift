extension JSON {
    /// Parses one value and nothing after it, strictly by RFC 8259.
    ///
    /// UTF-8 is checked; half a surrogate pair (`\ud800`) becomes U+FFFD; of a key that occurs twice the last value
    /// counts, at the place of the first (both as in JavaScript, whose `JSON.parse` Claude Code uses).
    /// - Parameters:
    ///   - depth: The deepest nesting of objects and arrays.
    ///   - ids: The strings in which half a surrogate pair is kept.
    package init(parsing bytes: [UInt8], depth: Int = 128, ids: JSONIDs? = nil) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes, depth: depth)
        scanner.skipSpace()
        self = if let ids { try scanner.value(ids) } else { try scanner.value() }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.unexpected(wanted: "the end of the text") }
    }

    package init(parsing bytes: some Sequence<UInt8>, depth: Int = 128) throws(JSONSyntaxError) {
        try self.init(parsing: Array(bytes), depth: depth)
    }

    package init(parsing text: String, depth: Int = 128) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), depth: depth)
    }
}

extension JSONScanner {
    mutating func value() throws(JSONSyntaxError) -> JSON {
        switch current {
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "{"):
            var members = JSONObjectBuilder()
            try object { scanner, key, _ throws(JSONSyntaxError) in members.set(key, try scanner.value()) }
            return .object(members.finish())
        case UInt8(ascii: "["):
            var elements: [JSON] = []
            try array { scanner throws(JSONSyntaxError) in elements.append(try scanner.value()) }
            return .array(elements)
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let range = try number()
            return .number(JSONNumber(checked: String(decoding: bytes[range], as: UTF8.self)))
        default:
            throw unexpected(wanted: "a value")
        }
    }
}

extension JSONScanner {
    /// Reads a value and keeps halves of surrogate pairs in the strings that `ids` names.
    mutating func value(_ ids: JSONIDs) throws(JSONSyntaxError) -> JSON {
        switch current {
        case UInt8(ascii: "{"):
            var members = JSONObjectBuilder()
            try object { scanner, key, _ throws(JSONSyntaxError) in members.set(key, try scanner.member(key, ids)) }
            return .object(members.finish())
        case UInt8(ascii: "["):
            var elements: [JSON] = []
            try array { scanner throws(JSONSyntaxError) in elements.append(try scanner.value(ids)) }
            return .array(elements)
        default:
            return try value()
        }
    }

    private mutating func member(_ key: String, _ ids: JSONIDs) throws(JSONSyntaxError) -> JSON {
        let start = position
        let value = if let inner = ids.inside(key) { try value(inner) } else { try value() }
        guard hasReadHalf, ids.holds(key), case .string = value else { return value }
        return try unpaired(start..<position).map(JSON.unpaired) ?? value
    }
}
