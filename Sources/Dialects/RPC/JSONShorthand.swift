import Core
import OrderedJSON

extension JSON {
    static func text(_ value: String?) -> JSON {
        value.map(JSON.string) ?? .null
    }

    static func time(_ value: Timestamp?) -> JSON {
        text(value?.rfc3339)
    }

    static func count(_ value: some BinaryInteger) -> JSON {
        .number(JSONNumber(Int(clamping: value)))
    }

    /// Length in bytes of `serialized()`.
    var length: Int { serializedBytes().count }
}
