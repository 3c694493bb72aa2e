/// A JSON value (RFC 8259) that keeps the order of keys and the spelling of numbers.
///
/// Two values are equal when they are written alike: same order of keys, same spelling of numbers, same bytes in
/// strings. (Swift's string equality also equates differently encoded characters, which is wrong for values that decide
/// what may run.) `isEquivalent(to:)` ignores the order of keys.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    /// An id that no `String` can hold. Only a parse with `ids` makes this case.
    case unpaired(UnpairedText)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// The member of an object; nil where there is none, or where this value is not an object.
    package subscript(key: String) -> JSON? {
        objectValue?[key]
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var stringValue: String? {
        switch self {
        case .string(let value): value
        case .unpaired(let value): value.text
        default: nil
        }
    }

    /// Nil unless the number is spelled as an integer (`1.0` and `1e5` are not) and fits.
    package var intValue: Int? {
        if case .number(let value) = self { value.intValue } else { nil }
    }

    /// Nil beyond the range of a double (`1e999`).
    package var doubleValue: Double? {
        if case .number(let value) = self { value.doubleValue } else { nil }
    }

    package var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}
