/// Random text and digests, as the owner of the cryptographic library makes them.
package protocol SecretSource: Sendable {
    /// `count` bytes that nobody can guess, in base64url (RFC 4648 section 5) without padding.
    func random(bytes count: Int) -> String
    /// SHA-256 of the text's UTF-8: 32 bytes.
    func digest(_ text: String) -> [UInt8]
}
