/// One whole response.
package struct HTTPResponse: Sendable, Equatable {
    package var status: HTTPStatus
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The response as bytes. Head and body are in one buffer, so that one write sends both: clients that read once get
    /// the whole response.
    ///
    /// Adds Content-Length if the status allows content, and `Connection: close` unless `keepAlive` or the status is
    /// 101. Do not put either into `headers`.
    /// - Parameter headOnly: for the response to HEAD: Content-Length is written and the content left out.
    package func serialized(keepAlive: Bool, headOnly: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(headers.writtenLength + body.count + 128)
        HTTPInterim.writeStatusLine(status, into: &output)
        headers.write(into: &output)
        if !status.isBodiless { output.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
        if !keepAlive, status != .switchingProtocols { output.append(contentsOf: "Connection: close\r\n".utf8) }
        output.append(contentsOf: [ByteClass.carriageReturn, ByteClass.lineFeed])
        if !headOnly, !status.isBodiless { output.append(contentsOf: body) }
        return output
    }
}
