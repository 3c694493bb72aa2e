/// Whether the TCP port also speaks TLS, and with which certificate.
package enum TLSSetting: Sendable, Hashable {
    case off
    /// From an authority of this machine's own, which devices install or pin.
    case localCA
    /// Two files in PEM form; absolute paths.
    case files(certificate: String, key: String)
}
