package import OrderedJSON

/// The reason why a call failed (JSON-RPC 2.0 section 5.1). Where possible the message says what to send instead.
package struct JSONRPCError: Error, Sendable, Hashable {
    package var code: Int
    package var message: String
    package var data: JSON?

    package init(code: Int, message: String, data: JSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// −32700: the bytes are not JSON.
    package static func parseError(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32700, message: message, data: data)
    }

    /// −32600: the JSON is not a request.
    package static func invalidRequest(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32600, message: message, data: data)
    }

    /// −32601
    package static func methodNotFound(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32601, message: message, data: data)
    }

    /// −32602
    package static func invalidParams(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32602, message: message, data: data)
    }

    /// −32603
    package static func internalError(_ message: String, data: JSON? = nil) -> JSONRPCError {
        JSONRPCError(code: -32603, message: message, data: data)
    }

    package var json: JSON {
        var object: JSONObject = ["code": .number(JSONNumber(code)), "message": .string(message)]
        if let data { object["data"] = data }
        return .object(object)
    }

    /// Nil for a value that is not an error object.
    package init?(_ json: JSON) {
        guard let code = json["code"]?.intValue, let message = json["message"]?.stringValue else { return nil }
        self.init(code: code, message: message, data: json["data"])
    }
}
