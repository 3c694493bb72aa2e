import COpenSSL
import Crypto
import Foundation

/// The client's end of TLS on a blocking socket, OpenSSL's own.
final class TestTLS: @unchecked Sendable {  // guard: used on its client's queue only
    struct Options: Sendable {
        /// What the certificate must be for.
        var host = "localhost"
        var protocols = ["http/1.1"]
        var version: Int32 = TLS1_3_VERSION
    }

    let ssl: OpaquePointer

    init(_ descriptor: Int32, _ authority: CertificateAuthority, _ options: Options) throws {
        let context = SSL_CTX_new(TLS_client_method())
        defer { SSL_CTX_free(context) }
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.certificate.pointer)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        ssl = SSL_new(context)
        SSL_set_fd(ssl, descriptor)
        SSL_set1_host(ssl, options.host)
        // SSL_set_max_proto_version is a macro.
        SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.version), nil)
        let offered = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        SSL_set_alpn_protos(ssl, offered, UInt32(offered.count))
        ERR_clear_error()
        guard SSL_connect(ssl) == 1 else { throw ClientError(what: "handshake: \(Self.reason)", code: 0) }
    }

    deinit {
        SSL_free(ssl)
    }

    private static var reason: String {
        ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "end of stream"
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        ERR_clear_error()
        return Int(SSL_write(ssl, bytes.baseAddress, Int32(bytes.count)))
    }

    /// 0 after close_notify only; a cut is -1.
    func read(_ buffer: inout [UInt8]) -> Int {
        ERR_clear_error()
        let count = SSL_read(ssl, &buffer, Int32(buffer.count))
        if count <= 0, SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN { return 0 }
        return count > 0 ? Int(count) : -1
    }

    var version: String { String(cString: SSL_get_version(ssl)) }

    var protocolName: String {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &start, &count)
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Tells the peer that nothing more comes, and goes on reading.
    func sayGoodbye() {
        SSL_shutdown(ssl)
    }

    /// The serial number of what the server showed.
    var serial: String {
        let certificate = SSL_get1_peer_certificate(ssl)
        defer { X509_free(certificate) }
        let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nil)
        defer { BN_free(number) }
        let text = BN_bn2hex(number)
        defer { CRYPTO_free(text, "", 0) }
        return text.map { String(cString: $0) } ?? ""
    }
}
