import Core
import Crypto
import OrderedJSON
import Platform
import Services
import Transport
import Wire

/// Keeps the certificate of the TLS listener current. What goes wrong later than the start is said, and changes nothing.
final class CertificateKeeper: Sendable {
    private struct State {
        var current: ServerCertificate
        var context: TLSContext
        var problem: String?
    }

    private let mode: String
    /// The certificate that devices install, where there is one of our own.
    let authority: CertificateAuthority?
    /// Held while files are read, by `look` alone.
    private let source: Locked<any CertificateSource>
    private let state: Locked<State>
    private let log: ServerLog

    private init(
        mode: String, source: any CertificateSource, authority: CertificateAuthority?, at now: Timestamp, log: ServerLog
    ) throws(CryptoError) {
        var source = source
        guard let first = try source.next(at: now) else { throw CryptoError("there is no certificate") }
        self.mode = mode
        self.authority = authority
        self.log = log
        self.source = Locked(source)
        state = Locked(State(current: first, context: try TLSContext(first)))
        if let wrong = Self.wrong(with: first, at: now) { complain(wrong) }
    }

    private static func wrong(with shown: ServerCertificate, at now: Timestamp) -> String? {
        if shown.validUntil <= now.seconds { return "the certificate has ended; clients refuse it" }
        guard shown.validFrom > now.seconds else { return nil }
        return
            "the certificate begins at \(Timestamp(seconds: shown.validFrom).rfc3339), and until then clients refuse it: "
            + "either this machine's clock is behind, or it was ahead when the certificate was made"
    }

    convenience init(certificate: String, key: String, at now: Timestamp, log: ServerLog) throws(CryptoError) {
        let source = FileCertificates(certificatePath: certificate, keyPath: key)
        try self.init(mode: "files", source: source, authority: nil, at: now, log: log)
    }

    convenience init(
        authority: CertificateAuthority, wanted: @escaping @Sendable () -> [CertificateName], at now: Timestamp,
        log: ServerLog
    ) throws(CryptoError) {
        let source = LocalCertificates(authority: authority, wanted: wanted)
        try self.init(mode: "local-ca", source: source, authority: authority, at: now, log: log)
        let missing = wanted().filter { !authority.covers($0) }.map(\.text)
        guard !missing.isEmpty else { return }
        complain(
            "the authority was made without \(missing.joined(separator: ", ")), and may not vouch for it: remove its "
                + "directory `tls`, restart, and install the new one on your devices")
    }

    var context: TLSContext { state.withLock { $0.context } }

    /// Looks whether there is a newer certificate; nil if all is as it was. It reads files, so not on the loop's thread.
    func look(at now: Timestamp) -> TLSContext? {
        do throws(CryptoError) {
            guard let (until, context) = try renewed(at: now) else { return nil }
            log.info("certificate renewed", ["mode": mode, "until": until.rfc3339])
            return context
        } catch {
            complain(error.description)
            return nil
        }
    }

    /// Files are read while only `source` is held: who describes or greets with what is there never waits for a disk.
    private func renewed(at now: Timestamp) throws(CryptoError) -> (Timestamp, TLSContext)? {
        let result = source.withLock { source -> Result<(Timestamp, TLSContext)?, CryptoError> in
            do throws(CryptoError) {
                guard let next = try source.next(at: now) else { return .success(nil) }
                let context = try TLSContext(next)
                state.withLock { $0 = State(current: next, context: context) }
                return .success((Timestamp(seconds: next.validUntil), context))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Once for each problem, however often it is met.
    private func complain(_ problem: String) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew { log.warning("tls: \(problem)") }
    }

    /// What a client may remember in place of the certificate: SHA-256 of the public key, Base64 with `sha256/` before it, as
    /// curl's `--pinnedpubkey` and RFC 7469 spell it but for the double slash.
    private static func pin(_ authority: CertificateAuthority) -> String {
        "sha256/" + Base64.encode(authority.certificate.publicKeyDigest)
    }

    /// As `status/get` shows it.
    func description(at now: Timestamp) -> JSON {
        let (current, problem) = state.withLock { ($0.current, $0.problem) }
        let said = problem ?? Self.wrong(with: current, at: now)
        return [
            "mode": .string(mode), "names": .array(current.certificate.dnsNames.map { .string($0) }),
            "pin": authority.map { .string(Self.pin($0)) } ?? .null, "problem": said.map { .string($0) } ?? .null,
            "valid_until": .string(Timestamp(seconds: current.validUntil).rfc3339),
        ]
    }
}

extension Timestamp {
    init(seconds: Int64) {
        self.init(milliseconds: seconds * 1000)
    }
}
