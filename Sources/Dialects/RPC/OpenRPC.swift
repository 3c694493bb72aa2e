import OrderedJSON

/// The OpenRPC 1.3 document, made from the table of methods.
enum OpenRPC {
    /// - Parameter info: `title`, `version` and `description`.
    static func document(of table: MethodTable, info: JSONObject) -> JSON {
        let named = table.methods.reduce(into: [String: JSONObject]()) { named, method in
            for schema in method.parameters.map(\.schema) + [method.result] {
                named.merge(schema.named) { first, _ in first }
            }
        }
        let schemas = named.sorted { $0.key < $1.key }.map { ($0.key, JSON.object($0.value)) }
        return [
            "openrpc": "1.3.2", "info": .object(info), "methods": .array(table.methods.map(describe)),
            "components": ["schemas": .object(JSONObject(schemas))],
        ]
    }

    private static func describe(_ method: Method) -> JSON {
        var object: JSONObject = [
            "name": .string(method.name), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(method.parameters.map(describe)),
            "result": ["name": "result", "schema": method.result.json],
        ]
        if let right = method.right { object["x-right"] = .string(right.rawValue) }
        object["x-scheduling"] = scheduling(of: method)
        return .object(object)
    }

    /// Only where what is sent behind a call may be answered before it.
    private static func scheduling(of method: Method) -> JSON? {
        switch method.scheduling {
        case .beside(let limit): ["beside": .count(limit)]
        case .inOrder, .inOrderOffLoop: nil
        case .waits(let seconds): ["waits": .string(seconds)]
        }
    }

    private static func describe(_ parameter: FieldDescription) -> JSON {
        [
            "name": .string(parameter.name), "description": .string(parameter.summary),
            "required": .bool(parameter.isRequired), "schema": parameter.schema.json,
        ]
    }
}
