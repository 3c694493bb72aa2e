/// `size [; extension …]` (RFC 9112 section 7.1). Extensions are checked for stray control characters and ignored.
struct HTTPChunkHeader: Sendable {
    /// The most hexadecimal digits of a size. 16 digits can express 2^64 bytes, so more digits are an attack or a
    /// mistake.
    static let maximumSizeLength = 16

    /// The number of bytes that follow; `Int.max` for a larger number.
    let size: Int
    let extensionLength: Int

    init(parsing line: ArraySlice<UInt8>) throws(HTTPFault) {
        let digits = line.prefix { ByteClass.hexValue($0) != nil }
        guard !digits.isEmpty, digits.count <= Self.maximumSizeLength else {
            throw .malformed("a chunk does not begin with its size in hexadecimal digits")
        }
        let rest = line[digits.endIndex...]
        guard rest.isEmpty || rest.drop(while: ByteClass.isBlank).first == UInt8(ascii: ";"),
            rest.allSatisfy(ByteClass.isFieldValue)
        else { throw .malformed("a chunk's size is followed by something other than an extension") }
        size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? Int.max
        extensionLength = rest.count
    }
}
