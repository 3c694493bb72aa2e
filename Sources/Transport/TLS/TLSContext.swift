import COpenSSL
package import Crypto

/// The settings of all TLS connections of a server: one certificate, or another one for clients that ask for a host by its
/// name; TLS 1.2 or 1.3, HTTP/1.1 as the only protocol, no renegotiation, no early data, no client certificates.
///
/// A session keeps this value, because the second context belongs to it.
package final class TLSContext: @unchecked Sendable {  // guard: never changed; OpenSSL counts references atomically
    let pointer: OpaquePointer
    private let named: OpaquePointer?

    /// The cipher suites of TLS 1.2: only those with forward secrecy and authenticated encryption. TLS 1.3 has no
    /// others.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL"

    package init(_ server: ServerCertificate) throws(CryptoError) {
        let pointer = try Self.context(server.certificate, of: server)
        do throws(CryptoError) {
            named = try server.named.map { certificate throws(CryptoError) in
                try Self.context(certificate, of: server)
            }
        } catch {
            SSL_CTX_free(pointer)
            throw error
        }
        self.pointer = pointer
        if let named { copenssl_show_to_named(pointer, named) }
    }

    deinit {
        SSL_CTX_free(pointer)
        SSL_CTX_free(named)
    }

    private static func context(
        _ certificate: Certificate, of server: ServerCertificate
    ) throws(CryptoError) -> OpaquePointer {
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw CryptoError("TLS could not be set up") }
        let isComplete =
            copenssl_harden(pointer) == 1 && SSL_CTX_set_cipher_list(pointer, Self.ciphers) == 1
            && SSL_CTX_use_certificate(pointer, certificate.pointer) == 1
            && SSL_CTX_use_PrivateKey(pointer, server.key.pointer) == 1
            && server.issuers.allSatisfy { copenssl_add_chain(pointer, $0.pointer) == 1 }
        guard isComplete else {
            SSL_CTX_free(pointer)
            throw .openSSL("OpenSSL does not accept the certificate and its key")
        }
        return pointer
    }
}
