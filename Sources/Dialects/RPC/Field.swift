import OrderedJSON
import Wire

/// A named parameter. From one declaration come its parser, its schema and its line of documentation.
struct Field<Value: Sendable>: Sendable {
    typealias Reader = @Sendable (Arguments) throws(JSONRPCError) -> Value

    let description: FieldDescription
    let read: Reader

    var name: String { description.name }

    init(_ name: String, _ schema: Schema, _ summary: String, isRequired: Bool = false, read: @escaping Reader) {
        description = FieldDescription(name: name, schema: schema, summary: summary, isRequired: isRequired)
        self.read = read
    }

    private init(_ description: FieldDescription, read: @escaping Reader) {
        self.description = description
        self.read = read
    }

    /// The same field; `transform` checks or converts the value that was read.
    func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(JSONRPCError) -> Mapped
    ) -> Field<Mapped> {
        Field<Mapped>(description) { [read] arguments throws(JSONRPCError) in try transform(read(arguments)) }
    }

    /// The same field, required according to its schema. The parser does not require it.
    var requiredBySchema: Field {
        Field(
            FieldDescription(
                name: name, schema: description.schema, summary: description.summary, isRequired: true),
            read: read)
    }

    /// The same field with one more keyword in its schema.
    func schema(_ keyword: String, _ value: JSON) -> Field {
        Field(
            FieldDescription(
                name: name, schema: description.schema.setting(keyword, value), summary: description.summary,
                isRequired: description.isRequired),
            read: read)
    }
}

/// A field without its parser.
package struct FieldDescription: Sendable, Hashable {
    package let name: String
    package let schema: Schema
    package let summary: String
    package let isRequired: Bool
}

/// The descriptions of fields of several types.
func describe<each Value: Sendable>(_ fields: repeat Field<each Value>) -> [FieldDescription] {
    var descriptions: [FieldDescription] = []
    repeat descriptions.append((each fields).description)
    return descriptions
}
