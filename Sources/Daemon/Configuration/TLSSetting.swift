/// The source of the TCP port's certificate, or no TLS.
package enum TLSSetting: Sendable, Hashable {
    case off
    /// A certificate of this machine's own authority, which devices install or pin.
    case localCA
    /// Two files in PEM form; absolute paths.
    case files(certificate: String, key: String)
}
