import COpenSSL

/// An immutable private key.
package final class PrivateKey: @unchecked Sendable {  // guard: never changed; OpenSSL counts its references atomically
    package let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// A new key on the curve P-256.
    package static func p256() throws(CryptoError) -> PrivateKey {
        guard let pointer = copenssl_generate_p256() else { throw .openSSL("no key could be made") }
        return PrivateKey(pointer)
    }

    /// Reads the first private key in a PEM text (PKCS #8, or the older forms). An encrypted key is refused.
    package convenience init(pem: [UInt8]) throws(CryptoError) {
        ERR_clear_error()
        let pointer = MemoryBIO.reading(pem) { copenssl_read_key($0) }
        guard let pointer else {
            let code = ERR_peek_last_error()
            defer { ERR_clear_error() }
            if copenssl_is_encrypted_key(code) != 0 {
                throw CryptoError("the key is encrypted, and there is nobody to ask for its passphrase")
            }
            let isThere = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline)
                .contains { $0.hasSuffix("PRIVATE KEY-----") }
            throw isThere
                ? .openSSL("the private key cannot be read") : CryptoError("it holds no private key in PEM form")
        }
        self.init(pointer)
    }

    /// The key as PEM in PKCS #8, not encrypted.
    package var pem: [UInt8] {
        MemoryBIO.written { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    }
}
