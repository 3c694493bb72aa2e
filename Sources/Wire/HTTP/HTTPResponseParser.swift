/// An event of a client's parser.
package enum HTTPResponseEvent: Sendable, Equatable {
    /// A 1xx response other than 101; the final response follows.
    case interim(HTTPStatus, HTTPHeaders)
    /// A whole response; for 101 without the bytes of the new protocol after it.
    case response(HTTPResponse)
    /// The response cannot be read, and the connection cannot be used further. No event follows.
    case failure(String)
}

/// Parses the responses of one connection (RFC 9112), as strictly as `HTTPRequestParser` does requests.
package struct HTTPResponseParser: Sendable {
    private enum Phase { case statusLine, fields, body, failed }

    private let limits: HTTPLimits
    private let headOnly: Bool
    private var buffer = ReceiveBuffer()
    private var phase = Phase.statusLine
    private var status = HTTPStatus.ok
    private var fields = HTTPFieldSection()
    private var body: HTTPBodyDecoder?
    private var headLength = 0

    /// - Parameter headOnly: True if the responses are to HEAD and have no content whatever their head says.
    package init(limits: HTTPLimits = .standard, headOnly: Bool = false) {
        self.limits = limits
        self.headOnly = headOnly
    }

    /// The pointer is used during the call only.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if phase != .failed { buffer.append(bytes) }
    }

    package mutating func receive(_ bytes: some Collection<UInt8>) {
        if phase != .failed { buffer.append(bytes) }
    }

    /// Removes and returns the bytes after the last response: after 101, the beginning of the new protocol.
    package mutating func takeRemaining() -> [UInt8] { buffer.takeAll() }

    /// The next event, nil if more bytes are needed.
    package mutating func next() -> HTTPResponseEvent? {
        do throws(HTTPFault) {
            return try advance()
        } catch {
            return fail(error.message)
        }
    }

    /// Call this after the last `next`, once the server has closed the connection. Returns the response whose content
    /// ends with the connection, a failure if a response was truncated, or nil if no response had begun.
    package mutating func finish() -> HTTPResponseEvent? {
        if phase == .body, let body, body.isUntilClose { return complete() }
        guard phase == .fields || phase == .body || !buffer.isEmpty else { return nil }
        return fail("the server closed the connection in the middle of an answer")
    }

    private mutating func fail(_ message: String) -> HTTPResponseEvent {
        self = HTTPResponseParser(limits: limits, headOnly: headOnly)
        phase = .failed
        return .failure(message)
    }

    private mutating func advance() throws(HTTPFault) -> HTTPResponseEvent? {
        if phase == .statusLine || phase == .fields {
            guard try readHead() else { return nil }
            if status.isInterim { return interim() }
            body = try HTTPBodyDecoder(framing(), limits: limits)
            phase = .body
        }
        guard phase == .body, try body?.read(from: &buffer) == true else { return nil }
        return complete()
    }

    private mutating func readHead() throws(HTTPFault) -> Bool {
        while true {
            switch buffer.line(limit: limits.header - headLength) {
            case .incomplete: return false
            case .tooLong: throw .malformed("the header fields of the answer are too large")
            case .bareLineFeed: throw .bareLineFeed
            case .found(let range, let length):
                let isEnd = range.isEmpty && phase == .fields
                if phase == .statusLine {
                    status = try Self.status(Array(buffer.bytes[range]))
                    phase = .fields
                } else if !isEnd {
                    try fields.add(range, of: buffer.bytes, countLimit: limits.headerCount)
                }
                headLength += length
                buffer.consume(length)
                if isEnd { return true }
            }
        }
    }

    private func framing() throws(HTTPFault) -> HTTPFraming {
        if headOnly || status.isBodiless { return .length(0) }
        if fields.isChunked {
            guard fields.contentLength == nil else {
                throw .malformed("Content-Length and Transfer-Encoding exclude each other")
            }
            return .chunked
        }
        return fields.contentLength.map { .length($0) } ?? .untilClose
    }

    private mutating func interim() -> HTTPResponseEvent {
        defer { reset() }
        return .interim(status, fields.headers)
    }

    private mutating func complete() -> HTTPResponseEvent {
        let response = HTTPResponse(status, headers: fields.headers, body: body?.take() ?? [])
        reset()
        return .response(response)
    }

    private mutating func reset() {
        fields = HTTPFieldSection()
        body = nil
        headLength = 0
        phase = .statusLine
    }

    /// `HTTP/1.x SP three digits [SP reason]` (RFC 9112 section 4).
    private static func status(_ line: [UInt8]) throws(HTTPFault) -> HTTPStatus {
        let isKnownVersion = line.starts(with: "HTTP/1.1 ".utf8) || line.starts(with: "HTTP/1.0 ".utf8)
        let digits = line.dropFirst(9).prefix(3)
        guard isKnownVersion, digits.count == 3, digits.allSatisfy(ByteClass.isDigit),
            let code = Int(String(decoding: digits, as: UTF8.self)), code >= 100,
            line.count == 12 || line[12] == ByteClass.space, line.allSatisfy(ByteClass.isFieldValue)
        else { throw .malformed("the answer does not begin with an HTTP/1.1 status line") }
        return HTTPStatus(code: code, reason: String(decoding: line.dropFirst(13), as: UTF8.self))
    }
}
