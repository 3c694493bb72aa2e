package import OrderedJSON

/// The response to a request (JSON-RPC 2.0 section 5).
package struct JSONRPCResponse: Sendable, Hashable {
    package let id: JSONRPCID
    package let outcome: Result<JSON, JSONRPCError>

    package init(id: JSONRPCID, result: JSON) {
        self.id = id
        outcome = .success(result)
    }

    package init(id: JSONRPCID, error: JSONRPCError) {
        self.id = id
        outcome = .failure(error)
    }

    /// Parses a response for a client; nil for a value that is not a response, such as an event.
    package init?(_ json: JSON) {
        guard json["jsonrpc"]?.stringValue == "2.0", let id = json["id"].flatMap(JSONRPCID.init) else { return nil }
        switch (json["result"], json["error"]) {
        case (let result?, nil): self.init(id: id, result: result)
        case (nil, let error?):
            guard let error = JSONRPCError(error) else { return nil }
            self.init(id: id, error: error)
        default: return nil
        }
    }

    /// `{"jsonrpc":"2.0","id":…,"result":…}`, or `error` in place of `result`.
    package var json: JSON {
        switch outcome {
        case .success(let result): .object(["jsonrpc": "2.0", "id": id.json, "result": result])
        case .failure(let error): .object(["jsonrpc": "2.0", "id": id.json, "error": error.json])
        }
    }

    /// Compact UTF-8, ready to be sent.
    package func serialized() -> [UInt8] {
        json.serializedBytes()
    }
}
