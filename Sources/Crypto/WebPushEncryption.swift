import COpenSSL

/// Encrypts the body of a push message by RFC 8291, as one record of RFC 8188's `aes128gcm`.
package enum WebPushEncryption {
    /// The longest text in bytes. A push service need not take bodies of more than 4096 bytes (RFC 8030 section 7.2).
    package static let longestText = 4096 - headerLength - tagLength - 1

    private static let headerLength = 16 + 4 + 1 + 65
    private static let tagLength = 16

    /// - Parameters:
    ///   - receiver: `p256dh` of the subscription, 65 bytes.
    ///   - authentication: `auth` of the subscription, 16 bytes.
    /// - Returns: The body; nil if the subscription's keys are unusable or the text is too long.
    package static func encrypt(_ text: [UInt8], for receiver: [UInt8], authentication: [UInt8]) -> [UInt8]? {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return encrypt(text, for: receiver, authentication: authentication, sender: .generate(), salt: salt)
    }

    /// Encrypts with a given key and salt, for test vectors. No key and no salt may be used twice.
    package static func encrypt(
        _ text: [UInt8], for receiver: [UInt8], authentication: [UInt8], sender: P256Key, salt: [UInt8]
    ) -> [UInt8]? {
        guard authentication.count == 16, salt.count == 16, text.count <= longestText,
            let shared = sender.agree(with: receiver)
        else { return nil }
        let info = Array("WebPush: info\0".utf8) + receiver + sender.publicBytes
        let secret = KeyDerivation.hkdfSHA256(secret: shared, salt: authentication, info: info, length: 32)
        let key = KeyDerivation.hkdfSHA256(
            secret: secret, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), length: 16)
        let nonce = KeyDerivation.hkdfSHA256(
            secret: secret, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), length: 12)
        // The delimiter 2 marks the last record (RFC 8188 section 2), here the only one.
        let record = text + [2]
        var sealed = [UInt8](repeating: 0, count: record.count + tagLength)
        guard copenssl_aes128_gcm_seal(key, nonce, record, Int32(record.count), &sealed) == 1 else { return nil }
        return salt + [0, 0, 0x10, 0, 65] + sender.publicBytes + sealed
    }
}
