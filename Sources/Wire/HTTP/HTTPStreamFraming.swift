/// The framing of content whose length is not known when the head of its response is sent (RFC 9112 sections 6.3 and 7).
package enum HTTPStreamFraming: Sendable, Hashable {
    /// Each piece comes with its length, and an empty one ends the content.
    case chunked
    /// The content ends with the connection, because HTTP/1.0 has no chunks. A client cannot tell a truncated one.
    case untilClose

    package init(for version: HTTPVersion) {
        self = version == .http11 ? .chunked : .untilClose
    }

    /// The bytes of one piece of content; none for an empty piece, since an empty chunk would end the content.
    package func piece(_ bytes: [UInt8]) -> [UInt8] {
        guard self == .chunked, !bytes.isEmpty else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 16)
        output.append(contentsOf: String(bytes.count, radix: 16).utf8)
        output.append(contentsOf: Self.lineEnd)
        output.append(contentsOf: bytes)
        output.append(contentsOf: Self.lineEnd)
        return output
    }

    /// The bytes behind the last piece.
    package var end: [UInt8] { self == .chunked ? Array("0\r\n\r\n".utf8) : [] }

    /// The head of a response whose content follows in pieces; the response's own body is left out.
    ///
    /// Adds Transfer-Encoding, and `Connection: close` unless `keepAlive`. Do not put either into the headers.
    package func head(of response: HTTPResponse, keepAlive: Bool) -> [UInt8] {
        var output: [UInt8] = []
        HTTPInterim.writeStatusLine(response.status, into: &output)
        response.headers.write(into: &output)
        if self == .chunked { output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8) }
        if !keepAlive || self == .untilClose { output.append(contentsOf: "Connection: close\r\n".utf8) }
        output.append(contentsOf: Self.lineEnd)
        return output
    }

    private static let lineEnd = [ByteClass.carriageReturn, ByteClass.lineFeed]
}
