import COpenSSL
package import Crypto

/// The settings of all TLS connections of a server: one certificate, TLS 1.2 or 1.3, HTTP/1.1 as the only protocol, no
/// renegotiation, no early data, no client certificates.
package final class TLSContext: @unchecked Sendable {  // guard: never changed; OpenSSL counts references atomically
    let pointer: OpaquePointer

    /// The cipher suites of TLS 1.2: only those with forward secrecy and authenticated encryption. TLS 1.3 has no
    /// others.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL"

    package init(_ server: ServerCertificate) throws(CryptoError) {
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw CryptoError("TLS could not be set up") }
        self.pointer = pointer
        let isComplete =
            copenssl_harden(pointer) == 1 && SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1
            && SSL_CTX_use_certificate(pointer, server.certificate.pointer) == 1
            && SSL_CTX_use_PrivateKey(pointer, server.key.pointer) == 1
            && server.issuers.allSatisfy { copenssl_add_chain(pointer, $0.pointer) == 1 }
        guard isComplete else { throw .openSSL("OpenSSL does not accept the certificate and its key") }
    }

    deinit {
        SSL_CTX_free(pointer)
    }
}
