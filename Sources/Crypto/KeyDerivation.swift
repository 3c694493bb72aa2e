import COpenSSL

/// Keyed digests, and keys derived with them.
package enum KeyDerivation {
    /// HMAC with SHA-256 (RFC 2104): 32 bytes.
    package static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        // OpenSSL fails here only without memory. Do not go on then: an attacker can compute a digest of zeros too.
        precondition(copenssl_hmac_sha256(key, key.count, message, message.count, &out) == 1)
        return out
    }

    /// HKDF with SHA-256 (RFC 5869): extract, then one block of expand.
    /// - Parameter length: Bytes to return, at most 32.
    package static func hkdfSHA256(secret: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        let key = hmacSHA256(key: salt, secret)
        return Array(hmacSHA256(key: key, info + [1]).prefix(length))
    }
}
