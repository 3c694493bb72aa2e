extension JSON: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) {
        self = .null
    }
}

extension JSON: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSON: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
}

extension JSON: ExpressibleByFloatLiteral {
    /// Infinities and NaN, which JSON cannot write, become null, as in `JSON.stringify`.
    package init(floatLiteral value: Double) {
        self = JSONNumber(value).map(JSON.number) ?? .null
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSON: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// The members in the order written; of a key written twice the last value counts.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements))
    }
}
