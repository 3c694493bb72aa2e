import Core
import Crypto
import Services
import Transport
import Wire

/// The certificate of the TLS listener, and this machine's authority if that made it.
struct Certificates: Sendable {
    let keeper: CertificateKeeper<TLSProvider>
    /// The certificate that devices install.
    let authority: CertificateAuthority?

    /// Nil if the configuration has no TLS.
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

    /// SHA-256 of the public key in Base64, with `sha256/` before it: as in curl's `--pinnedpubkey` and RFC 7469, but
    /// with one slash.
    private static func pin(_ authority: CertificateAuthority) -> String {
        "sha256/" + Base64.encode(authority.certificate.publicKeyDigest)
    }
}

/// Makes the listener's TLS context from each new certificate.
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

    /// Whole seconds since 1970.
    fileprivate var seconds: Int64 { milliseconds / 1000 }
}
