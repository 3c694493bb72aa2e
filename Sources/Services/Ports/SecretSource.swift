/// Random text and digests, made by the cryptographic library.
package protocol SecretSource: Sendable {
    /// `count` unpredictable bytes in base64url (RFC 4648 section 5) without padding.
    func random(bytes count: Int) -> String
    /// SHA-256 of the text's UTF-8: 32 bytes.
    func digest(_ text: String) -> [UInt8]
}
