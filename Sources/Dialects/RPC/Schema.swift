package import OrderedJSON

/// A JSON Schema (draft 7) of a value that is sent or received.
package struct Schema: Sendable, Hashable {
    package private(set) var object: JSONObject
    /// The schemas that `$ref`s in `object` name, and those that these schemas name in turn.
    package private(set) var named: [String: JSONObject] = [:]
    /// True if the value may be left out of an object.
    package private(set) var isOptional = false

    package var json: JSON { .object(object) }

    init(_ object: JSONObject, naming named: [String: JSONObject] = [:]) {
        self.object = object
        self.named = named
    }

    // MARK: Kinds of values

    static let any = Schema([:])
    static let number = Schema(["type": "number"])
    static let boolean = Schema(["type": "boolean"])
    static let integer = Schema(["type": "integer"])
    static let anyObject = Schema(["type": "object"])
    static let string = Schema(["type": "string"])
    static let time = Schema(["type": "string", "format": "date-time"])
    /// `"success": true`; false is never sent, a failure is an error.
    static let success = Schema(["const": true])
    /// A whole number, 0 or more.
    static let count = Schema(["type": "integer", "minimum": 0])

    static func integer(in range: ClosedRange<Int>) -> Schema {
        var object: JSONObject = ["type": "integer", "minimum": .count(range.lowerBound)]
        if range.upperBound < .max { object["maximum"] = .count(range.upperBound) }
        return Schema(object)
    }

    static func choice(_ values: [String]) -> Schema {
        Schema(["type": "string", "enum": .array(values.map(JSON.string))])
    }

    static func list(_ element: Schema) -> Schema {
        Schema(["type": "array", "items": element.json], naming: element.named)
    }

    /// An object with these members, which are required unless optional. Later versions may add members.
    static func object(_ members: KeyValuePairs<String, Schema>) -> Schema {
        var object: JSONObject = [
            "type": "object", "properties": .object(JSONObject(members.map { ($0.key, $0.value.json) })),
        ]
        let required = members.filter { !$0.value.isOptional }.map { JSON.string($0.key) }
        if !required.isEmpty { object["required"] = .array(required) }
        return Schema(object, naming: Self.names(of: members.map(\.value)))
    }

    /// An object whose members have any names and are all of one kind.
    static func map(of value: Schema) -> Schema {
        Schema(["type": "object", "additionalProperties": value.json], naming: value.named)
    }

    static func oneOf(_ schemas: Schema...) -> Schema {
        Schema(["oneOf": .array(schemas.map(\.json))], naming: names(of: schemas))
    }

    // MARK: More about a value

    /// The same members, followed by those of another object.
    func with(_ more: Schema) -> Schema {
        var sum = self
        let members = properties.map { ($0.key, $0.value) } + more.properties.map { ($0.key, $0.value) }
        sum.object["properties"] = .object(JSONObject(members))
        sum.object["required"] = .array(required + more.required)
        sum.named.merge(more.named) { first, _ in first }
        return sum
    }

    /// An object with the same members, each of which may be left out.
    var partial: Schema {
        var schema = self
        schema.object["required"] = nil
        return schema
    }

    private var properties: JSONObject { object["properties"]?.objectValue ?? [:] }
    private var required: [JSON] { object["required"]?.arrayValue ?? [] }

    /// The value, or null.
    var orNull: Schema {
        guard let type = object["type"]?.stringValue, object["enum"] == nil else {
            return Schema(["anyOf": [json, ["type": "null"]]], naming: named)
        }
        var schema = self
        schema.object["type"] = [.string(type), "null"]
        return schema
    }

    var optional: Schema {
        var schema = self
        schema.isOptional = true
        return schema
    }

    /// The same schema with a description, for a value whose name does not say enough.
    func meaning(_ text: String) -> Schema {
        setting("description", .string(text))
    }

    func setting(_ keyword: String, _ value: JSON) -> Schema {
        var schema = self
        // Draft 7 ignores keywords beside a `$ref`.
        if object["$ref"] != nil { schema.object = ["allOf": [json]] }
        schema.object[keyword] = value
        return schema
    }

    /// A reference to this schema, which the OpenRPC document holds once under the name.
    func named(_ name: String) -> Schema {
        Schema(
            ["$ref": .string("#/components/schemas/\(name)")],
            naming: named.merging([name: object]) { first, _ in first })
    }

    private static func names(of schemas: [Schema]) -> [String: JSONObject] {
        schemas.reduce(into: [:]) { $0.merge($1.named) { first, _ in first } }
    }
}
