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

/// HTTP/1.1 as bytes.
enum HTTPText {
    static func post(_ path: String, _ body: JSON, bearer: String? = nil, fields: String = "") -> [UInt8] {
        var bytes: [UInt8] = []
        body.write(into: &bytes)
        return post(path, bytes, bearer: bearer, fields: fields)
    }

    /// - Parameter fields: further header lines, each with its end.
    static func post(
        _ path: String, _ body: [UInt8], host: String = "localhost", bearer: String? = nil, fields: String = ""
    ) -> [UInt8] {
        let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head =
            "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n\(authorization)\(fields)"
            + "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    static func health(host: String = "localhost") -> [UInt8] {
        Array("GET /health HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
    }

    /// What the relay says of itself, as header lines. Every call has an id of its own.
    static func relayFields(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        let id = String(repeating: "0", count: 32 - digits.count) + digits
        return "Cdev-Request: \(id)\r\nCdev-Attended: 1\r\nCdev-Entrypoint: cli\r\nCdev-Shell: /bin/bash\r\n"
    }

    static func headLength(_ bytes: [UInt8]) -> Int? {
        var at = 3
        while at < bytes.count {
            if bytes[at] == 0x0A, bytes[at - 1] == 0x0D, bytes[at - 2] == 0x0A, bytes[at - 3] == 0x0D { return at + 1 }
            at += 1
        }
        return nil
    }

    /// Head and body, once both are there.
    static func wholeLength(_ bytes: [UInt8]) -> Int? {
        guard let head = headLength(bytes) else { return nil }
        let length = contentLength(bytes, head)
        return bytes.count >= head + length ? head + length : nil
    }

    private static let lengthField = Array("content-length: ".utf8)

    private static func contentLength(_ bytes: [UInt8], _ head: Int) -> Int {
        var at = 0
        while at < head {
            if bytes[at] == 0x0A, at + 1 + lengthField.count < head {
                var matched = 0
                while matched < lengthField.count, bytes[at + 1 + matched] | 0x20 == lengthField[matched] | 0x20 {
                    matched += 1
                }
                if matched == lengthField.count { return number(bytes, at + 1 + matched) }
            }
            at += 1
        }
        return 0
    }

    private static func number(_ bytes: [UInt8], _ start: Int) -> Int {
        var number = 0
        var at = start
        while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
            number = number * 10 + Int(bytes[at] - 0x30)
            at += 1
        }
        return number
    }
}
