import COpenSSL
import CPlatform

/// The server's side of TLS on one connected socket. `read` and `send` take the place of the plain system calls and
/// return what those would.
///
/// OpenSSL reads the socket itself, one record at a time, so it never keeps received bytes that the kernel would not
/// report again. Encrypted bytes are kept until the kernel takes them, and no more are encrypted before that: at most a
/// record and a flight of the handshake.
final class TLSSession: @unchecked Sendable {  // guard: used by its channel only, on the loop's thread
    /// The first byte of a TLS handshake (RFC 8446 section 5.1). No HTTP request begins with this byte.
    static let firstByte: UInt8 = 0x16

    private let ssl: OpaquePointer
    private let context: TLSContext
    private let descriptor: Int32
    private var sink: OpaquePointer?
    private var unsent: [UInt8] = []
    private var sentCount = 0
    /// The number of the caller's bytes that are encrypted in `unsent`. `send` returns this number once the kernel has
    /// taken them all.
    private var unreported = 0
    private var isBroken = false
    private var hasSentCloseNotify = false

    private static let recordSize = 16 * 1024
    /// The limit of unsent bytes while reading, more than any flight of a handshake has. The connection of a peer that
    /// makes us answer and never reads ends here.
    private static let mostUnsent = 64 * 1024
    /// OpenSSL's output buffer is reused up to this size; a larger one is released, because the connection may be idle
    /// for long.
    private static let mostKept = 2048

    init?(context: TLSContext, descriptor: Int32) {
        guard let ssl = SSL_new(context.pointer) else { return nil }
        self.ssl = ssl
        self.context = context
        self.descriptor = descriptor
        guard let source = BIO_new_socket(descriptor, BIO_NOCLOSE) else { return nil }
        SSL_set0_rbio(ssl, source)
        guard renewSink() else { return nil }
        SSL_set_accept_state(ssl)
    }

    deinit {
        SSL_free(ssl)
    }

    var hasUnsent: Bool { sentCount < unsent.count }
    /// True if a part of the chunk that was last given to `send` may have been sent although `send` returned `-EAGAIN`.
    var holdsUnreported: Bool { unreported > 0 }

    /// Continues the handshake, then reads. Returns the number of bytes, 0 once the peer has closed its side, or a
    /// negative errno.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isBroken else { return -Int(EPROTO) }
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        let reason = count > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl, count)
        collect()
        // A failure to send is returned by the next read or send.
        _ = flush()
        switch reason {
        case SSL_ERROR_NONE: return Int(count)
        case SSL_ERROR_ZERO_RETURN: return 0
        case SSL_ERROR_WANT_READ where unsent.count - sentCount <= Self.mostUnsent: return -Int(EAGAIN)
        default: return fail()
        }
    }

    /// Encrypts and sends bytes. Returns the number of bytes that the kernel has taken, or a negative errno. After
    /// `-EAGAIN`, call it with the same bytes again.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        let result = flush()
        guard result == 0 else { return result }
        if unreported == 0, !bytes.isEmpty {
            // Nothing is answered before the handshake is over.
            guard !isBroken, SSL_is_init_finished(ssl) == 1 else { return -Int(EPIPE) }
            ERR_clear_error()
            let count = SSL_write(ssl, bytes.baseAddress, Int32(min(bytes.count, Self.recordSize)))
            guard count > 0 else { return fail() }
            unreported = Int(count)
            collect()
            let result = flush()
            guard result == 0 else { return result }
        }
        defer { unreported = 0 }
        return unreported
    }

    /// Sends the encrypted bytes that wait. Returns 0 once the kernel has taken all of them, else a negative errno.
    func flush() -> Int {
        while hasUnsent {
            let count = unsent.withUnsafeBytes {
                Int(cplatform_send(descriptor, $0.baseAddress! + sentCount, $0.count - sentCount))
            }
            guard count >= 0 else { return count }
            sentCount += count
        }
        unsent = []
        sentCount = 0
        return 0
    }

    /// Sends `close_notify`, by which the peer can tell the end of the stream from a lost connection (RFC 8446 section
    /// 6.1). It waits in `unsent` if the kernel does not take it.
    func sendCloseNotify() {
        guard !hasSentCloseNotify, !isBroken, SSL_is_init_finished(ssl) == 1 else { return }
        hasSentCloseNotify = true
        ERR_clear_error()
        SSL_shutdown(ssl)
        collect()
        _ = flush()
    }

    private func fail() -> Int {
        isBroken = true
        ERR_clear_error()
        return -Int(EPROTO)
    }

    /// Moves the bytes that OpenSSL wants to send to `unsent`.
    private func collect() {
        var start: UnsafePointer<CChar>?
        let count = copenssl_memory(sink, &start)
        guard let start, count > 0 else { return }
        unsent.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        if count > Self.mostKept { _ = renewSink() } else { BIO_ctrl(sink, BIO_CTRL_RESET, 0, nil) }
    }

    private func renewSink() -> Bool {
        guard let new = BIO_new(BIO_s_mem()) else { return false }
        SSL_set0_wbio(ssl, new)
        sink = new
        return true
    }
}
