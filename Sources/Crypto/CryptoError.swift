import COpenSSL

/// Why something could not be made or read; a sentence about it, without its place.
package struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// What OpenSSL says was wrong last, after `what`. Empties its list.
    package static func openSSL(_ what: String) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return CryptoError(what) }
        return CryptoError("\(what): \(String(cString: reason))")
    }
}
