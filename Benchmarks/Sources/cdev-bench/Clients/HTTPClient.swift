import OrderedJSON

/// One kept connection, one request at a time. It reads just enough of an answer to know its end.
final class HTTPClient {
    let socket: StreamSocket
    private var buffer: [UInt8] = []

    init(_ socket: StreamSocket) {
        self.socket = socket
    }

    /// The body of the answer to the request's bytes.
    func exchange(_ request: [UInt8]) throws -> [UInt8] {
        try socket.send(request)
        return try response()
    }

    func response() throws -> [UInt8] {
        while true {
            if let length = HTTPText.wholeLength(buffer) {
                let head = HTTPText.headLength(buffer) ?? 0
                let body = Array(buffer[head..<length])
                let isFinal = buffer.count > 9 && buffer[9] != UInt8(ascii: "1")
                buffer.removeFirst(length)
                if isFinal { return body }
            } else if !socket.receive(into: &buffer) {
                throw BenchError("the connection ended before the answer")
            }
        }
    }

    func call(_ method: String, _ parameters: JSON, bearer: String? = nil) throws -> JSON {
        let body: JSON = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters]
        let reply = try JSON(parsing: try exchange(HTTPText.post("/rpc", body, bearer: bearer)))
        guard let result = reply["result"] else { throw BenchError("\(method): \(reply.serialized())") }
        return result
    }
}
