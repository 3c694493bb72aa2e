/// An event of a server's parser.
package enum HTTPParserEvent: Sendable, Equatable {
    /// The client waits for `HTTPInterim.proceed` before it sends the content. The request's `request` follows.
    case expectContinue
    /// A whole request with its content.
    case request(HTTPRequest)
    /// The connection must be answered with this status and sentence, then closed. No event follows.
    case failure(HTTPStatus, String)
}

/// Parses the requests of one connection (RFC 9112). Ambiguous messages are refused: requests are smuggled by messages
/// that two parsers understand differently.
///
/// Call `receive` with bytes, then `next` until nil. Pipelined requests stay in the buffer, so a server that stops
/// reading while it answers bounds the memory that a client can make it use. Events depend on the bytes alone, not on
/// how they were split.
package struct HTTPRequestParser: Sendable {
    private enum Phase { case requestLine, fields, body, failed }

    private let limits: HTTPLimits
    private var buffer = ReceiveBuffer()
    private var phase = Phase.requestLine
    private var line: HTTPRequestLine?
    private var fields = HTTPFieldSection()
    private var body: HTTPBodyDecoder?
    /// The number of bytes of the head consumed so far.
    private var headLength = 0

    package init(limits: HTTPLimits = .standard) {
        self.limits = limits
    }

    /// True if only a part of a request has been received. (Also true while `next` has not yet been called for a
    /// request that is complete.)
    package var isMidRequest: Bool {
        phase == .fields || phase == .body || !buffer.isEmpty
    }

    /// The pointer is used during the call only.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if phase != .failed { buffer.append(bytes) }
    }

    package mutating func receive(_ bytes: some Collection<UInt8>) {
        if phase != .failed { buffer.append(bytes) }
    }

    /// Removes and returns the bytes after the last request: a client may send some before its upgrade is answered.
    package mutating func takeRemaining() -> [UInt8] { buffer.takeAll() }

    /// The next event, nil if more bytes are needed.
    package mutating func next() -> HTTPParserEvent? {
        do throws(HTTPFault) {
            return try advance()
        } catch {
            self = HTTPRequestParser(limits: limits)
            phase = .failed
            return .failure(error.status, error.message)
        }
    }

    private mutating func advance() throws(HTTPFault) -> HTTPParserEvent? {
        if phase == .requestLine, try !readRequestLine() { return nil }
        if phase == .fields {
            guard try readFields() else { return nil }
            let framing = try requestFraming()
            body = try HTTPBodyDecoder(framing, limits: limits)
            phase = .body
            if fields.expectsContinue, line?.version == .http11, framing != .length(0) { return .expectContinue }
        }
        guard phase == .body, try body?.read(from: &buffer) == true else { return nil }
        return finish()
    }

    private mutating func readRequestLine() throws(HTTPFault) -> Bool {
        // Bytes that are not HTTP at all, above all a TLS handshake, are refused at the first byte: no line end may
        // follow.
        if let first = buffer.first, !ByteClass.isToken(first) { throw .malformed("this is not an HTTP request") }
        switch buffer.line(limit: limits.header) {
        case .incomplete: return false
        case .tooLong: throw HTTPFault(.uriTooLong, "the request target is longer than \(limits.target) bytes")
        case .bareLineFeed: throw .bareLineFeed
        case .found(let range, let length):
            line = try HTTPRequestLine(parsing: range, of: buffer.bytes, targetLimit: limits.target)
            headLength = length
            phase = .fields
            buffer.consume(length)
            return true
        }
    }

    private mutating func readFields() throws(HTTPFault) -> Bool {
        while true {
            switch buffer.line(limit: limits.header - headLength) {
            case .incomplete: return false
            case .tooLong: throw .headTooLarge
            case .bareLineFeed: throw .bareLineFeed
            case .found(let range, let length):
                if !range.isEmpty { try fields.add(range, of: buffer.bytes, countLimit: limits.headerCount) }
                headLength += length
                buffer.consume(length)
                if range.isEmpty { return true }
            }
        }
    }

    private func requestFraming() throws(HTTPFault) -> HTTPFraming {
        if line?.version == .http11, fields.hostCount == 0 { throw .malformed("HTTP/1.1 needs a Host field") }
        guard fields.isChunked else { return .length(fields.contentLength ?? 0) }
        if fields.contentLength != nil {
            throw .malformed("Content-Length and Transfer-Encoding exclude each other")
        }
        if line?.version == .http10 { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
        return .chunked
    }

    private mutating func finish() -> HTTPParserEvent? {
        guard let line, let content = body?.take() else { return nil }
        let request = HTTPRequest(
            line: line, headers: fields.headers, body: content,
            keepAlive: line.version == .http11 && !fields.closesConnection)
        self.line = nil
        fields = HTTPFieldSection()
        body = nil
        phase = .requestLine
        return .request(request)
    }
}
