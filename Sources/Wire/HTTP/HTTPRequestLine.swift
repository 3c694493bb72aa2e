/// `method SP target SP version` (RFC 9112 section 3), parsed strictly: single spaces, and no white space elsewhere.
struct HTTPRequestLine: Sendable {
    let method: String
    let target: String
    let parts: HTTPTarget
    let version: HTTPVersion

    init(method: String, target: String, parts: HTTPTarget, version: HTTPVersion) {
        self.method = method
        self.target = target
        self.parts = parts
        self.version = version
    }

    init(parsing range: Range<Int>, of bytes: [UInt8], targetLimit: Int) throws(HTTPFault) {
        let line = bytes[range]
        guard let first = line.firstIndex(of: ByteClass.space), first > line.startIndex,
            let second = line[(first + 1)...].firstIndex(of: ByteClass.space)
        else { throw .malformed("the first line is not a method, a target and a version, one space apart") }
        guard line[..<first].allSatisfy(ByteClass.isToken) else {
            throw .malformed("the method holds a character that none may hold")
        }
        version = try Self.version(line[(second + 1)...])
        let target = line[(first + 1)..<second]
        guard target.count <= targetLimit else {
            throw HTTPFault(.uriTooLong, "the request target is longer than \(targetLimit) bytes")
        }
        guard target.allSatisfy(ByteClass.isTarget) else {
            throw .malformed("the request target holds a character that must be percent-encoded")
        }
        method = String(decoding: line[..<first], as: UTF8.self)
        self.target = String(decoding: target, as: UTF8.self)
        guard let parts = HTTPTarget(self.target), parts.path != "*" || method == "OPTIONS" else {
            throw .malformed("the request target is neither a path nor an http URL")
        }
        self.parts = parts
    }

    private static func version(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> HTTPVersion {
        if bytes.elementsEqual("HTTP/1.1".utf8) { return .http11 }
        if bytes.elementsEqual("HTTP/1.0".utf8) { return .http10 }
        let digits = bytes.dropFirst(5)
        guard bytes.starts(with: "HTTP/".utf8), digits.count == 3, let major = digits.first, let minor = digits.last,
            ByteClass.isDigit(major), ByteClass.isDigit(minor), digits[digits.startIndex + 1] == UInt8(ascii: ".")
        else { throw .malformed("the first line does not end with a version such as HTTP/1.1") }
        throw HTTPFault(.versionNotSupported, "only HTTP/1.1 and HTTP/1.0 are spoken here")
    }
}
