/// The supported versions of HTTP.
package enum HTTPVersion: String, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
}

/// One whole request (RFC 9112 section 3).
package struct HTTPRequest: Sendable, Equatable {
    package let method: String
    /// The request target as it was sent.
    package let target: String
    /// `host[:port]` of a target in absolute form (`http://host/path`), which takes precedence over the Host field
    /// (RFC 9112 section 3.2.2); nil in every other form. A check of the host must check both.
    package let authority: String?
    /// The target's path, percent-encoding untouched; `*` for the asterisk form.
    package let path: String
    /// The query after the first `?`.
    package let query: String?
    package let version: HTTPVersion
    package let headers: HTTPHeaders
    package let body: [UInt8]
    /// True if the connection may serve another request afterwards; always false for HTTP/1.0.
    package let keepAlive: Bool

    /// A request to send, or for a test. A target in none of the forms that `HTTPTarget` reads counts as a path.
    package init(method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        let parts = HTTPTarget(target) ?? HTTPTarget(authority: nil, path: target, query: nil)
        self.init(
            line: HTTPRequestLine(method: method, target: target, parts: parts, version: .http11), headers: headers,
            body: body, keepAlive: !headers.contains("close", in: "connection"))
    }

    init(line: HTTPRequestLine, headers: HTTPHeaders, body: [UInt8], keepAlive: Bool) {
        method = line.method
        target = line.target
        authority = line.parts.authority
        path = line.parts.path
        query = line.parts.query
        version = line.version
        self.headers = headers
        self.body = body
        self.keepAlive = keepAlive
    }

    /// The request as bytes, head and body in one buffer. Adds Content-Length if there is content or the method is
    /// POST, PUT or PATCH; the caller sets Host and all other fields.
    package func serialized() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(method.utf8.count + target.utf8.count + headers.writtenLength + body.count + 64)
        output.append(contentsOf: "\(method) \(target) \(version.rawValue)\r\n".utf8)
        headers.write(into: &output)
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
            output.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8)
        }
        output.append(contentsOf: [ByteClass.carriageReturn, ByteClass.lineFeed])
        output.append(contentsOf: body)
        return output
    }
}
