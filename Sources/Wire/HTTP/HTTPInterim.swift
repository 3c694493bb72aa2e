/// Interim (1xx) responses, which precede the final response (RFC 9110 section 15.2).
package enum HTTPInterim {
    /// `100 Continue`: the client may send its content.
    package static let proceed = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// `102 Processing` with the caller's fields: the request is held and its sender should wait. Send this only to
    /// clients known to handle it: Python's `http.client` and `requests` take it for the final response.
    package static func processing(_ headers: HTTPHeaders) -> [UInt8] {
        var output: [UInt8] = []
        writeStatusLine(.processing, into: &output)
        headers.write(into: &output)
        output.append(contentsOf: [ByteClass.carriageReturn, ByteClass.lineFeed])
        return output
    }

    static func writeStatusLine(_ status: HTTPStatus, into output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 \(status.code) ".utf8)
        output.append(contentsOf: status.reason.utf8)
        output.append(contentsOf: [ByteClass.carriageReturn, ByteClass.lineFeed])
    }
}
