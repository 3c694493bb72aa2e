import OrderedJSON

/// The OpenRPC 1.3 document, made from the table of methods.
enum OpenRPC {
    /// - Parameters:
    ///   - notifications: The server's notifications. The specification has no place for them, so they go to
    ///     `x-notifications`.
    ///   - info: `title`, `version` and `description`.
    static func document(of table: MethodTable, notifications: [ServerNotification], info: JSONObject) -> JSON {
        let all = table.methods.flatMap { $0.parameters.map(\.schema) + [$0.result] } + notifications.map(\.parameters)
        let named = all.reduce(into: [String: JSONObject]()) { named, schema in
            named.merge(schema.named) { first, _ in first }
        }
        let schemas = named.sorted { $0.key < $1.key }.map { ($0.key, JSON.object($0.value)) }
        return [
            "openrpc": "1.3.2", "info": .object(info), "methods": .array(table.methods.map(describe)),
            "components": ["schemas": .object(JSONObject(schemas))],
            "x-notifications": .array(notifications.map(describe)),
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

    private static func describe(_ notification: ServerNotification) -> JSON {
        [
            "name": .string(notification.name), "summary": .string(notification.summary),
            "params": notification.parameters.json,
        ]
    }

    /// The scheduling of a method whose later calls may be answered before it; nil for the others.
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
