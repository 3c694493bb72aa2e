/// Header fields in the order they were sent. Names keep their spelling and are compared without regard to case.
///
/// All text is kept in one array of bytes, so the fields of a request take two arrays however many there are, and a
/// value becomes a string only when asked for. Bytes that are not UTF-8 are read as U+FFFD.
package struct HTTPHeaders: Sendable {
    private struct Field {
        /// The offset of the name in `text`; the value follows the name directly.
        let offset: Int
        let nameLength: Int
        let valueLength: Int

        var name: Range<Int> { offset..<offset + nameLength }
        var value: Range<Int> { offset + nameLength..<offset + nameLength + valueLength }
    }

    private var text: [UInt8] = []
    private var fields: [Field] = []

    package init() {}

    package var count: Int { fields.count }
    package var isEmpty: Bool { fields.isEmpty }

    /// The first value of `name`.
    package subscript(name: String) -> String? {
        for field in fields where matches(field, name) { return string(field.value) }
        return nil
    }

    /// All values of `name`, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map { string($0.value) }
    }

    /// The members of a comma-separated list that may be spread over several fields (RFC 9110 section 5.6.1).
    package func list(_ name: String) -> [String] {
        var members: [String] = []
        for field in fields where matches(field, name) {
            for part in text[field.value].split(separator: UInt8(ascii: ",")) {
                let member = ByteClass.trimmed(part.indices, in: text)
                if !member.isEmpty { members.append(string(member)) }
            }
        }
        return members
    }

    /// True if the list `name` has the member `token`, whatever its case.
    package func contains(_ token: String, in name: String) -> Bool {
        list(name).contains { ByteClass.equalIgnoringCase($0.utf8, token.utf8) }
    }

    /// True if there is a field of one of these names, or whose name begins with one of `prefixes`, whatever its case.
    package func contains(_ names: [String], orPrefixes prefixes: [String]) -> Bool {
        fields.contains { field in
            let name = text[field.name]
            return names.contains { ByteClass.equalIgnoringCase(name, $0.utf8) }
                || prefixes.contains { ByteClass.equalIgnoringCase(name.prefix($0.utf8.count), $0.utf8) }
        }
    }

    /// Adds a field at the end. A byte that a field cannot hold (above all a line end, which would start another field)
    /// becomes a space in the value and `-` in the name.
    package mutating func append(_ name: String, _ value: String) {
        let offset = text.count
        text.append(contentsOf: name.utf8.lazy.map { ByteClass.isToken($0) ? $0 : UInt8(ascii: "-") })
        let middle = text.count
        text.append(contentsOf: value.utf8.lazy.map { ByteClass.isFieldValue($0) ? $0 : ByteClass.space })
        fields.append(Field(offset: offset, nameLength: middle - offset, valueLength: text.count - middle))
    }

    /// Adds a field whose bytes were checked by the parser.
    mutating func append(checkedName name: Range<Int>, value: Range<Int>, of bytes: [UInt8]) {
        let offset = text.count
        text.append(contentsOf: bytes[name])
        text.append(contentsOf: bytes[value])
        fields.append(Field(offset: offset, nameLength: name.count, valueLength: value.count))
    }

    /// Writes the fields as lines of a message head.
    func write(into output: inout [UInt8]) {
        for field in fields {
            output.append(contentsOf: text[field.name])
            output.append(contentsOf: [UInt8(ascii: ":"), ByteClass.space])
            output.append(contentsOf: text[field.value])
            output.append(contentsOf: [ByteClass.carriageReturn, ByteClass.lineFeed])
        }
    }

    /// The number of bytes that `write` adds.
    var writtenLength: Int { text.count + 4 * fields.count }

    private func matches(_ field: Field, _ name: String) -> Bool {
        ByteClass.equalIgnoringCase(text[field.name], name.utf8)
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: text[range], as: UTF8.self)
    }
}

extension HTTPHeaders: Sequence {
    package func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var index = 0
        return AnyIterator {
            guard index < fields.count else { return nil }
            defer { index += 1 }
            return (string(fields[index].name), string(fields[index].value))
        }
    }
}

extension HTTPHeaders: Equatable {
    /// True if both have the same fields in the same order, without regard to the case of names.
    package static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.count == right.fields.count
            && zip(left.fields, right.fields).allSatisfy { one, other in
                ByteClass.equalIgnoringCase(left.text[one.name], right.text[other.name])
                    && left.text[one.value] == right.text[other.value]
            }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
