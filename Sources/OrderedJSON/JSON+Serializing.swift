extension JSON {
    /// The value in the shortest form: no spaces, only the escapes RFC 8259 demands.
    package func serialized() -> String {
        String(decoding: serializedBytes(), as: UTF8.self)
    }

    /// The same as `serialized()`, as UTF-8.
    package func serializedBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        // This is enough for most values, which are small and have few escapes, so the array need not grow.
        bytes.reserveCapacity(min(footprint, Self.reserved))
        write(into: &bytes)
        return bytes
    }

    /// The most bytes reserved before a value is written.
    private static var reserved: Int { 8192 }

    /// Appends the value in the form of `serializedBytes()`.
    package func write(into output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let value): output.append(contentsOf: value.spelling.utf8)
        case .string(let value): Self.write(value, into: &output)
        case .unpaired(let value): Self.write(value, into: &output)
        case .array(let values): Self.write(values, into: &output)
        case .object(let value): Self.write(value, into: &output)
        }
    }

    private static func write(_ values: [JSON], into output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            value.write(into: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func write(_ object: JSONObject, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(member.key, into: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(into: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ text: String, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { writeEscaped($0, into: &output) }
        if isWritten == nil { writeEscaped(Array(text.utf8), into: &output) }
        output.append(UInt8(ascii: "\""))
    }

    private static func write(_ text: UnpairedText, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for piece in text.pieces {
            switch piece {
            case .text(let text): writeEscaped(Array(text.utf8), into: &output)
            case .half(let unit): output.append(contentsOf: "\\u\(String(unit, radix: 16))".utf8)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Copies each run of bytes that need no escape with one call.
    private static func writeEscaped<Text: RandomAccessCollection<UInt8>>(
        _ text: Text, into output: inout [UInt8]
    ) where Text.Index == Int {
        var index = 0
        while true {
            let plain = PlainText.end(of: text, from: index).index
            output.append(contentsOf: text[index..<plain])
            guard plain < text.count else { return }
            output.append(contentsOf: escape(text[plain]).utf8)
            index = plain + 1
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        default: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
        }
    }
}
