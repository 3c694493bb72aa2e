import OrderedJSON

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
