import COpenSSL

/// The reason why a key, a certificate or a message could not be made or read, in one sentence without a file path.
package struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// `what` and the reason of OpenSSL's last error on this thread. Clears OpenSSL's error queue.
    package static func openSSL(_ what: String) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return CryptoError(what) }
        return CryptoError("\(what): \(String(cString: reason))")
    }
}
