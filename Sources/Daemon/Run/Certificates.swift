import Core
import Crypto
import Services
import Transport
import Wire

/// What the TLS listener shows, and the authority of this machine where that one made it.
struct Certificates: Sendable {
    let keeper: CertificateKeeper<TLSProvider>
    /// The certificate that devices install.
    let authority: CertificateAuthority?

    /// Nil where the configuration has no TLS.
    init?(
        _ configuration: Configuration, names: @escaping @Sendable () -> [CertificateName], home: String,
        at now: Timestamp, log: any Log
    ) throws {
        switch configuration.tls {
        case .off: return nil
        case .files(let certificate, let key):
            let source = FileCertificates(certificatePath: certificate, keyPath: key)
            authority = nil
            keeper = try CertificateKeeper(
                mode: "files", pin: nil, provider: TLSProvider(source: source), at: now, log: log)
        case .localCA:
            let authority = try AuthorityFiles(directory: home + "/tls").load(names: names(), at: now.seconds)
            let source = LocalCertificates(authority: authority, wanted: names)
            self.authority = authority
            keeper = try CertificateKeeper(
                mode: "local-ca", pin: Self.pin(authority), provider: TLSProvider(source: source), at: now, log: log)
            complain(ofMissing: names().filter { !authority.covers($0) })
        }
    }

    private func complain(ofMissing names: [CertificateName]) {
        guard !names.isEmpty else { return }
        keeper.complain(
            "the authority was made without \(names.map(\.text).joined(separator: ", ")), and may not vouch for it: "
                + "remove its directory `tls`, restart, and install the new one on your devices")
    }

    /// SHA-256 of the public key, Base64 with `sha256/` before it, as curl's `--pinnedpubkey` and RFC 7469 spell it but
    /// for the double slash.
    private static func pin(_ authority: CertificateAuthority) -> String {
        "sha256/" + Base64.encode(authority.certificate.publicKeyDigest)
    }
}

/// Certificates as the listener takes them.
struct TLSProvider: CertificateProvider {
    var source: any CertificateSource

    mutating func next(at now: Timestamp) throws -> ShownCertificate<TLSContext>? {
        guard let next = try source.next(at: now.seconds) else { return nil }
        return ShownCertificate(
            names: next.certificate.dnsNames, validFrom: Timestamp(seconds: next.validFrom),
            validUntil: Timestamp(seconds: next.validUntil), context: try TLSContext(next))
    }
}

extension Timestamp {
    fileprivate init(seconds: Int64) {
        self.init(milliseconds: seconds * 1000)
    }

    /// Since 1970, whole ones.
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}
