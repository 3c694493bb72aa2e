import OrderedJSON
import Wire

/// Several fields of one object, parsed together: the parameters of a method, an element of a list, a member that is an
/// object.
struct Shape<Value: Sendable>: Sendable {
    let fields: [FieldDescription]
    let read: @Sendable (Arguments) throws(JSONRPCError) -> Value

    /// - Parameter make: Makes the value of the fields' values, and checks conditions between them.
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

    /// The same fields; `transform` checks or converts the value that was read.
    func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Value) throws(JSONRPCError) -> Mapped
    ) -> Shape<Mapped> {
        Shape<Mapped>(fields) { [read] arguments throws(JSONRPCError) in try transform(read(arguments)) }
    }

    /// Reads the field `first`; only if it is absent, the fields of `rest`.
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

extension Schema {
    fileprivate static func object(_ fields: [FieldDescription]) -> Schema {
        let members = fields.map { ($0.name, $0.schema.meaning($0.summary).json) }
        var object: JSONObject = ["type": "object", "properties": .object(JSONObject(members))]
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { object["required"] = .array(required) }
        return Schema(object, naming: fields.reduce(into: [:]) { $0.merge($1.schema.named) { first, _ in first } })
    }
}
