/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// The decoded text; `nil` for a `%` without two hexadecimal digits, and for bytes that are no UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(ByteClass.hexValue),
                let low = rest.popFirst().flatMap(ByteClass.hexValue)
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
