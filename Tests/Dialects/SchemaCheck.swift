import Core
import Dialects
import OrderedJSON

/// Compares values with a method's schema, as far as our schemas use the language. Objects are taken to be complete: a
/// member that the schema does not name is a complaint.
struct SchemaCheck {
    private let named: [String: JSONObject]
    private(set) var complaints: [String] = []

    private init(named: [String: JSONObject]) {
        self.named = named
    }

    /// What is wrong with a value, one line for each place.
    static func complaints(about value: JSON, _ schema: Schema) -> [String] {
        var check = SchemaCheck(named: schema.named)
        check.compare(value, schema.object, at: "$")
        return check.complaints
    }

    private mutating func complain(_ path: String, _ text: String) {
        complaints.append("\(path): \(text)")
    }

    private mutating func compare(_ value: JSON, _ schema: JSONObject, at path: String) {
        for (keyword, wanted) in schema {
            switch keyword {
            case "$ref": compare(value, referred(wanted.stringValue ?? ""), at: path)
            case "allOf": for schema in wanted.arrayValue ?? [] { compare(value, schema.objectValue ?? [:], at: path) }
            case "anyOf": alternatives(value, wanted, at: path) { $0 >= 1 }
            case "const": if value != wanted { complain(path, "is not \(wanted.serialized())") }
            case "enum": if wanted.arrayValue?.contains(value) != true { complain(path, "is \(value.serialized())") }
            case "oneOf": alternatives(value, wanted, at: path) { $0 == 1 }
            case "type": compare(value, type: wanted, at: path)
            case "format":
                if value.stringValue.flatMap({ Timestamp(rfc3339: $0) }) == nil, !value.isNull {
                    complain(path, "is no time")
                }
            case "minimum": if value.intValue ?? .max < wanted.intValue ?? 0 { complain(path, "is too small") }
            case "items": elements(value, wanted.objectValue ?? [:], at: path)
            case "properties": members(value, wanted.objectValue ?? [:], schema, at: path)
            case "required":
                let missing = (wanted.arrayValue ?? []).filter { value[$0.stringValue ?? ""] == nil }
                if value.objectValue != nil, !missing.isEmpty { complain(path, "has no \(missing)") }
            case "additionalProperties": others(value, wanted, schema, at: path)
            case "description", "default": break
            default: complain(path, "the check does not know \(keyword)")
            }
        }
    }

    private func referred(_ reference: String) -> JSONObject {
        named[String(reference.dropFirst("#/components/schemas/".count))] ?? ["unknown": .string(reference)]
    }

    private mutating func alternatives(_ value: JSON, _ schemas: JSON, at path: String, _ isEnough: (Int) -> Bool) {
        let fitting = (schemas.arrayValue ?? []).filter { schema in
            var check = SchemaCheck(named: named)
            check.compare(value, schema.objectValue ?? [:], at: path)
            return check.complaints.isEmpty
        }
        if !isEnough(fitting.count) { complain(path, "fits \(fitting.count) alternatives: \(value.serialized())") }
    }

    private mutating func compare(_ value: JSON, type: JSON, at path: String) {
        let types = (type.arrayValue ?? [type]).compactMap(\.stringValue)
        let isNumber = types.contains("number") && value.doubleValue != nil
        if !isNumber, !types.contains(Self.type(of: value)) { complain(path, "is \(value.serialized()), not \(types)") }
    }

    private static func type(of value: JSON) -> String {
        switch value {
        case .array: "array"
        case .bool: "boolean"
        case .null: "null"
        case .number: "integer"
        case .object: "object"
        case .string, .unpaired: "string"
        }
    }

    private mutating func elements(_ value: JSON, _ schema: JSONObject, at path: String) {
        for (index, element) in (value.arrayValue ?? []).enumerated() {
            compare(element, schema, at: "\(path)[\(index)]")
        }
    }

    private mutating func members(_ value: JSON, _ known: JSONObject, _ schema: JSONObject, at path: String) {
        for (name, member) in value.objectValue ?? [:] {
            if let wanted = known[name]?.objectValue {
                compare(member, wanted, at: "\(path).\(name)")
            } else if schema["additionalProperties"] == nil {
                complain(path, "has a member \(name) that nobody declared")
            }
        }
    }

    private mutating func others(_ value: JSON, _ wanted: JSON, _ schema: JSONObject, at path: String) {
        guard let wanted = wanted.objectValue else { return }
        for (name, member) in value.objectValue ?? [:] where schema["properties"]?[name] == nil {
            compare(member, wanted, at: "\(path).\(name)")
        }
    }
}
