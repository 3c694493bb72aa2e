import COpenSSL
import CPlatform

/// The server's side of TLS on one connected socket; in place of plain `read` and `send`, with their results.
///
/// It reads the socket itself, one record at a time, so nothing is ever left in it that the kernel would not report
/// again. What it has to send it keeps until the kernel takes it, and it encrypts no more before that: at most a record
/// and a flight of the handshake.
final class TLSSession: @unchecked Sendable {  // guard: used by its channel only, on the loop's thread
    /// What a handshake begins with (RFC 8446 section 5.1), and no HTTP request.
    static let firstByte: UInt8 = 0x16

    private let ssl: OpaquePointer
    private let descriptor: Int32
    private var sink: OpaquePointer?
    private var unsent: [UInt8] = []
    private var sentCount = 0
    /// Bytes of the caller's that are encrypted in `unsent`: said to be sent once the kernel has them.
    private var unreported = 0
    private var isBroken = false
    private var saidGoodbye = false

    private static let recordSize = 16 * 1024
    /// More than any flight of a handshake. A peer that makes us answer and never reads gets no further.
    private static let ceiling = 64 * 1024
    /// OpenSSL's buffer is used again up to this size; a larger one is not kept for a connection that may idle.
    private static let kept = 2048

    init?(context: TLSContext, descriptor: Int32) {
        guard let ssl = SSL_new(context.pointer) else { return nil }
        self.ssl = ssl
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
    /// Whether a part of the chunk that was last given to `send` is on its way although nothing was said of it.
    var holdsUnreported: Bool { unreported > 0 }

    /// Bytes read, 0 when the peer has ended its side, or a negative errno. Goes on with the handshake.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isBroken else { return -Int(EPROTO) }
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        let reason = count > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl, count)
        collect()
        // A failure to send shows at the next read or send.
        _ = flush()
        switch reason {
        case SSL_ERROR_NONE: return Int(count)
        case SSL_ERROR_ZERO_RETURN: return 0
        case SSL_ERROR_WANT_READ where unsent.count - sentCount <= Self.ceiling: return -Int(EAGAIN)
        default: return fail()
        }
    }

    /// Bytes that are with the kernel, encrypted, or a negative errno. After `-EAGAIN` it must be called with the same
    /// bytes again.
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

    /// Gives the kernel what waits: 0 when it has all, else a negative errno.
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

    /// Adds `close_notify` to what waits, so that the peer can tell the end from a cut (RFC 8446 section 6.1).
    func sayGoodbye() {
        guard !saidGoodbye, !isBroken, SSL_is_init_finished(ssl) == 1 else { return }
        saidGoodbye = true
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

    /// Takes what OpenSSL wants to send.
    private func collect() {
        var start: UnsafePointer<CChar>?
        let count = copenssl_memory(sink, &start)
        guard let start, count > 0 else { return }
        unsent.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        if count > Self.kept { _ = renewSink() } else { BIO_ctrl(sink, BIO_CTRL_RESET, 0, nil) }
    }

    private func renewSink() -> Bool {
        guard let new = BIO_new(BIO_s_mem()) else { return false }
        SSL_set0_wbio(ssl, new)
        sink = new
        return true
    }
}
