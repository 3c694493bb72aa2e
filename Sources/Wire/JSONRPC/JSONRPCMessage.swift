package import OrderedJSON

/// A call: a request if it has an id, a notification if it has none (JSON-RPC 2.0 section 4).
package struct JSONRPCMessage: Sendable, Hashable {
    package let id: JSONRPCID?
    package let method: String
    /// An object or an array; nil if left out. `null`, which some clients send instead, counts as left out.
    package let params: JSON?

    package init(id: JSONRPCID? = nil, method: String, params: JSON? = nil) {
        self.id = id
        self.method = method
        self.params = params
    }

    /// True if no response may be sent.
    package var isNotification: Bool { id == nil }

    /// `{"jsonrpc":"2.0","id":…,"method":…,"params":…}`; `id` and `params` are left out if they are nil.
    package var json: JSON {
        var object: JSONObject = ["jsonrpc": "2.0"]
        if let id { object["id"] = id.json }
        object["method"] = .string(method)
        if let params { object["params"] = params }
        return .object(object)
    }

    /// Compact UTF-8, ready to be sent.
    package func serialized() -> [UInt8] {
        json.serializedBytes()
    }

    init(decoding json: JSON) throws(JSONRPCError) {
        guard case .object(let object) = json else {
            throw .invalidRequest(#"a request is an object such as {"jsonrpc":"2.0","id":1,"method":"status/health"}"#)
        }
        guard object["jsonrpc"]?.stringValue == "2.0" else {
            throw .invalidRequest(#"send "jsonrpc":"2.0" with every request"#)
        }
        guard let method = object["method"]?.stringValue else {
            throw .invalidRequest(#"send the "method" as a string"#)
        }
        switch object["params"] {
        case nil, .null: params = nil
        case .object(let value): params = .object(value)
        case .array(let value): params = .array(value)
        default: throw .invalidRequest(#"send "params" as an object or leave them out"#)
        }
        id = try object["id"].map { value throws(JSONRPCError) in
            guard let id = JSONRPCID(value) else { throw .invalidRequest(#"send the "id" as a string or a number"#) }
            return id
        }
        self.method = method
    }
}
