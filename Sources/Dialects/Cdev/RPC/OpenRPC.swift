import OrderedJSON

/// The OpenRPC 1.3 document, made from the table of methods.
enum OpenRPC {
    static func document(of table: MethodTable, version: String) -> JSON {
        [
            "openrpc": "1.3.2",
            "info": [
                "title": "cdev", "version": .string(version),
                "description":
                    "Answers Claude Code's permission questions. Events arrive as notifications named event/<type>.",
            ],
            "methods": .array(table.methods.map(describe)),
        ]
    }

    private static func describe(_ method: Method) -> JSON {
        var object: JSONObject = [
            "name": .string(method.name), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(method.parameters.map(describe)),
            "result": ["name": "result", "description": .string(method.result), "schema": ["type": "object"]],
        ]
        if let right = method.right { object["x-right"] = .string(right.rawValue) }
        return .object(object)
    }

    private static func describe(_ parameter: Method.Parameter) -> JSON {
        [
            "name": .string(parameter.name), "description": .string(parameter.summary),
            "required": .bool(parameter.isRequired), "schema": parameter.schema,
        ]
    }
}
