import COpenSSL

/// Keyed digests and what is derived with them.
package enum KeyDerivation {
    /// HMAC with SHA-256 (RFC 2104): 32 bytes.
    package static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        // It fails only where memory does; an answer of zeros would be one that an attacker can make too.
        precondition(copenssl_hmac_sha256(key, key.count, message, message.count, &out) == 1)
        return out
    }

    /// HKDF with SHA-256 (RFC 5869): extract, then one block of expand.
    /// - Parameter length: At most 32 bytes.
    package static func hkdfSHA256(secret: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        let key = hmacSHA256(key: salt, secret)
        return Array(hmacSHA256(key: key, info + [1]).prefix(length))
    }
}
