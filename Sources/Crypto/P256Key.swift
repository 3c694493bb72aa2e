import COpenSSL

/// A key pair on NIST P-256.
package struct P256Key: Sendable, Hashable {
    /// The scalar: 32 bytes.
    package let privateBytes: [UInt8]
    /// The point, uncompressed (SEC 1): 65 bytes, the first of them 4.
    package let publicBytes: [UInt8]

    /// Returns nil unless `privateBytes` are 32 bytes and a scalar of the group.
    package init?(privateBytes: [UInt8]) {
        guard privateBytes.count == 32 else { return nil }
        var point = [UInt8](repeating: 0, count: 65)
        guard copenssl_p256_public(privateBytes, &point) == 1 else { return nil }
        self.privateBytes = privateBytes
        publicBytes = point
    }

    /// Reads the first private key in a PEM text (PKCS #8, or SEC 1). Throws for a key of another kind or curve.
    package init(pem: [UInt8]) throws(CryptoError) {
        let key = try PrivateKey(pem: pem)
        var scalar = [UInt8](repeating: 0, count: 32)
        guard copenssl_p256_private(key.pointer, &scalar) == 1, let pair = P256Key(privateBytes: scalar) else {
            throw CryptoError("it holds a key, but none on the curve P-256")
        }
        self = pair
    }

    /// A new key pair, from the kernel's random source.
    package static func generate() -> P256Key {
        var random = SystemRandomNumberGenerator()
        while true {
            // One draw in 2^32 exceeds the group's order and is repeated.
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let key = P256Key(privateBytes: bytes) { return key }
        }
    }

    /// The ECDH shared secret of 32 bytes; nil if `peer` is not a point of the curve.
    package func agree(with peer: [UInt8]) -> [UInt8]? {
        guard peer.count == 65, peer.first == 4 else { return nil }
        var secret = [UInt8](repeating: 0, count: 32)
        guard copenssl_p256_agree(privateBytes, publicBytes, peer, &secret) == 1 else { return nil }
        return secret
    }

    /// True if these 65 bytes are a point of the curve.
    package static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 65, bytes.first == 4 else { return false }
        guard let key = copenssl_p256_key(nil, bytes) else { return false }
        EVP_PKEY_free(key)
        return true
    }

    /// The ES256 signature (RFC 7518 section 3.4) of 64 bytes; nil only if memory runs out.
    package func sign(_ message: [UInt8]) -> [UInt8]? {
        var signature = [UInt8](repeating: 0, count: 64)
        guard copenssl_p256_sign(privateBytes, publicBytes, message, message.count, &signature) == 1 else { return nil }
        return signature
    }
}
