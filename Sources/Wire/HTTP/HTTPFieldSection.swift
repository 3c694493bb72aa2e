/// Collects header or trailer fields, one line at a time, and interprets the fields that decide the message's framing.
struct HTTPFieldSection: Sendable {
    private(set) var headers = HTTPHeaders()
    /// The declared length; a number too large for an `Int` counts as `Int.max`.
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var hostCount = 0
    private(set) var closesConnection = false
    private(set) var expectsContinue = false

    /// True if one of the fields is not allowed in trailers (RFC 9110 section 6.5.1).
    var decidesFraming: Bool { contentLength != nil || isChunked || hostCount > 0 }

    /// Parses one line without its line end and adds the field. Throws for a line that is not a field.
    mutating func add(_ range: Range<Int>, of bytes: [UInt8], countLimit: Int) throws(HTTPFault) {
        guard headers.count < countLimit else {
            throw HTTPFault(.headerFieldsTooLarge, "more than \(countLimit) header fields")
        }
        guard !ByteClass.isBlank(bytes[range.lowerBound]) else {
            throw .malformed("a header field is folded over several lines")
        }
        var colon = range.lowerBound
        while colon < range.upperBound, ByteClass.isToken(bytes[colon]) { colon += 1 }
        guard colon > range.lowerBound, colon < range.upperBound, bytes[colon] == UInt8(ascii: ":") else {
            throw .malformed("a header line is not a name, a colon directly after it, and a value")
        }
        let value = ByteClass.trimmed(colon + 1..<range.upperBound, in: bytes)
        for index in value where !ByteClass.isFieldValue(bytes[index]) {
            throw .malformed("a header value holds a control character")
        }
        try interpret(bytes[range.lowerBound..<colon], bytes[value])
        headers.append(checkedName: range.lowerBound..<colon, value: value, of: bytes)
    }

    private mutating func interpret(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws(HTTPFault) {
        // The length rules out nearly every other field before a letter is compared.
        switch name.count {
        case 4 where ByteClass.equalIgnoringCase(name, "host".utf8): try setHost(value)
        case 6 where ByteClass.equalIgnoringCase(name, "expect".utf8): try setExpectation(value)
        case 10 where ByteClass.equalIgnoringCase(name, "connection".utf8): setConnection(value)
        case 14 where ByteClass.equalIgnoringCase(name, "content-length".utf8): try setLength(value)
        case 17 where ByteClass.equalIgnoringCase(name, "transfer-encoding".utf8): try setTransferEncoding(value)
        default: break
        }
    }

    private mutating func setHost(_ value: ArraySlice<UInt8>) throws(HTTPFault) {
        hostCount += 1
        guard hostCount == 1 else { throw .malformed("two Host fields; send one") }
        guard value.allSatisfy(ByteClass.isAuthority) else {
            throw .malformed("the Host field is not a host name with an optional port")
        }
    }

    private mutating func setExpectation(_ value: ArraySlice<UInt8>) throws(HTTPFault) {
        guard ByteClass.equalIgnoringCase(value, "100-continue".utf8) else {
            throw HTTPFault(.expectationFailed, "the only expectation known here is 100-continue")
        }
        expectsContinue = true
    }

    private mutating func setConnection(_ value: ArraySlice<UInt8>) {
        for part in value.split(separator: UInt8(ascii: ",")) {
            let option = part.drop(while: ByteClass.isBlank)
            let length = option.count - option.reversed().prefix(while: ByteClass.isBlank).count
            if ByteClass.equalIgnoringCase(option.prefix(length), "close".utf8) { closesConnection = true }
        }
    }

    /// A repeated length is refused even if both are equal, because the sender's framing cannot be trusted.
    private mutating func setLength(_ value: ArraySlice<UInt8>) throws(HTTPFault) {
        guard contentLength == nil else { throw .malformed("two Content-Length fields; send one") }
        guard !value.isEmpty, value.allSatisfy(ByteClass.isDigit) else {
            throw .malformed("Content-Length is not a number of bytes")
        }
        contentLength = Int(String(decoding: value, as: UTF8.self)) ?? Int.max
    }

    private mutating func setTransferEncoding(_ value: ArraySlice<UInt8>) throws(HTTPFault) {
        guard !isChunked else { throw .malformed("two Transfer-Encoding fields; send one") }
        guard ByteClass.equalIgnoringCase(value, "chunked".utf8) else {
            throw HTTPFault(.notImplemented, "the only transfer coding known here is chunked")
        }
        isChunked = true
    }
}
