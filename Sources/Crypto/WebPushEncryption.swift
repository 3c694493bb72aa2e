import COpenSSL

/// The body of a push message: RFC 8291 over `aes128gcm` of RFC 8188, in one record.
package enum WebPushEncryption {
    /// Bytes of text that fit into the smallest body a push service must take (4096).
    package static let longestText = 4096 - headerLength - tagLength - 1

    private static let headerLength = 16 + 4 + 1 + 65
    private static let tagLength = 16

    /// - Parameters:
    ///   - receiver: `p256dh` of the subscription, 65 bytes.
    ///   - authentication: `auth` of the subscription, 16 bytes.
    /// - Returns: Nil where the subscription's keys cannot be used or the text is too long.
    package static func encrypt(_ text: [UInt8], for receiver: [UInt8], authentication: [UInt8]) -> [UInt8]? {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return encrypt(text, for: receiver, authentication: authentication, sender: .generate(), salt: salt)
    }

    /// With a key and a salt that must not be used twice: for test vectors.
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
        // A two ends the last record, which is the only one.
        let record = text + [2]
        var sealed = [UInt8](repeating: 0, count: record.count + tagLength)
        guard copenssl_aes128_gcm_seal(key, nonce, record, Int32(record.count), &sealed) == 1 else { return nil }
        return salt + [0, 0, 0x10, 0, 65] + sender.publicBytes + sealed
    }
}
