import OrderedJSON
import Wire

/// A named value that a client sends: its declaration is its parser, its schema and its line of documentation.
/// `Value` is no tuple, which the compiler (6.3) cannot hand on among several fields.
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

    /// The same field, whose value is checked or changed once it was read.
    func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(JSONRPCError) -> Mapped
    ) -> Field<Mapped> {
        Field<Mapped>(description) { [read] arguments throws(JSONRPCError) in try transform(read(arguments)) }
    }

    /// The same field, said to be required by its schema. The parser does not ask for it.
    var requiredBySchema: Field {
        Field(
            FieldDescription(
                name: name, schema: description.schema, summary: description.summary, isRequired: true),
            read: read)
    }

    /// The same field, of whose value the schema says more.
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

/// Several fields of one object, read together: the parameters of a method, an element of a list, a member that is an
/// object itself.
struct Shape<Value: Sendable>: Sendable {
    let fields: [FieldDescription]
    let read: @Sendable (Arguments) throws(JSONRPCError) -> Value

    /// - Parameter make: Puts the values together, and checks what concerns several of them.
    init<each Member: Sendable>(
        _ fields: repeat Field<each Member>,
        make: @escaping @Sendable (repeat each Member) throws(JSONRPCError) -> Value
    ) {
        self.fields = describe(repeat each fields)
        read = { arguments throws(JSONRPCError) in try make(repeat try (each fields).read(arguments)) }
    }

    private init(_ fields: [FieldDescription], read: @escaping @Sendable (Arguments) throws(JSONRPCError) -> Value) {
        self.fields = fields
        self.read = read
    }

    var schema: Schema {
        Schema.object(fields)
    }

    /// The same fields, whose value is checked or changed once it was read.
    func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(JSONRPCError) -> Mapped
    ) -> Shape<Mapped> {
        Shape<Mapped>(fields) { [read] arguments throws(JSONRPCError) in try transform(read(arguments)) }
    }

    /// Either this one field, or, where it is left out, the others, which are not looked at beside it.
    static func either<First: Sendable, Rest: Sendable>(
        _ first: Field<First?>, or rest: Shape<Rest>
    ) -> Shape<Value> where Value == Either<First, Rest> {
        let fields = (rest.fields + [first.description]).sorted { $0.name < $1.name }
        return Shape(fields) { arguments throws(JSONRPCError) in
            if let value = try first.read(arguments) { return .first(value) }
            return .rest(try rest.read(arguments))
        }
    }
}

enum Either<First: Sendable, Rest: Sendable>: Sendable {
    case first(First)
    case rest(Rest)
}

/// The descriptions of fields of several types.
func describe<each Value: Sendable>(_ fields: repeat Field<each Value>) -> [FieldDescription] {
    var descriptions: [FieldDescription] = []
    repeat descriptions.append((each fields).description)
    return descriptions
}

extension Schema {
    fileprivate static func object(_ fields: [FieldDescription]) -> Schema {
        let members = fields.map { ($0.name, $0.schema.meaning($0.summary).json) }
        var object: JSONObject = ["type": "object", "properties": .object(JSONObject(members))]
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { object["required"] = .array(required) }
        return Schema(object, naming: fields.reduce(into: [:]) { $0.merge($1.schema.named) { first, _ in first } })
    }
}
