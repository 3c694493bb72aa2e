package import Core
package import OrderedJSON
import Platform

/// Provides the certificate of a listener. Asked at intervals, on any thread but the loop's.
package protocol CertificateProvider: Sendable {
    /// The value with which the listener shows the certificate.
    associatedtype Context: Sendable

    /// A certificate to be shown from now on; `nil` while the last one is still the right one.
    /// - Throws: The reason for which there is no newer certificate; the last one is kept.
    mutating func next(at now: Timestamp) throws -> ShownCertificate<Context>?
}

/// A certificate as clients are shown it.
package struct ShownCertificate<Context: Sendable>: Sendable {
    /// The host names that it is valid for.
    package let names: [String]
    package let validFrom: Timestamp
    package let validUntil: Timestamp
    package let context: Context

    package init(names: [String], validFrom: Timestamp, validUntil: Timestamp, context: Context) {
        self.names = names
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.context = context
    }

    /// The reason for which clients refuse the certificate; `nil` while it is valid.
    fileprivate func problem(at now: Timestamp) -> String? {
        if validUntil <= now { return "the certificate has ended; clients refuse it" }
        guard validFrom > now else { return nil }
        return
            "the certificate begins at \(validFrom.rfc3339), and until then clients refuse it: either this machine's "
            + "clock is behind, or it was ahead when the certificate was made"
    }
}

/// Keeps the certificate of a listener current. A problem after the start is logged, and the last certificate stays.
package final class CertificateKeeper<Provider: CertificateProvider>: Sendable {
    package typealias Shown = ShownCertificate<Provider.Context>

    private struct State {
        var shown: Shown
        var problem: String?
    }

    private let mode: String
    private let pin: String?
    /// Locked while files are read, by `look` alone.
    private let provider: Locked<Provider>
    private let state: Locked<State>
    private let log: any Log

    /// - Parameters:
    ///   - mode: The name of the provider in the configuration.
    ///   - pin: A digest that clients may pin, if it stays the same when the certificate is renewed.
    /// - Throws: The reason for which there is no first certificate.
    package init(
        mode: String, pin: String?, provider: Provider, at now: Timestamp, log: any Log
    ) throws {
        var provider = provider
        guard let first = try provider.next(at: now) else { throw NoCertificate() }
        self.mode = mode
        self.pin = pin
        self.log = log
        self.provider = Locked(provider)
        state = Locked(State(shown: first))
        if let problem = first.problem(at: now) { complain(problem) }
    }

    package var context: Provider.Context { state.withLock { $0.shown.context } }

    /// Asks the provider for a newer certificate; `nil` if there is none. Reads files, so not to be called on the
    /// loop's thread.
    package func look(at now: Timestamp) -> Provider.Context? {
        do {
            guard let shown = try renewed(at: now) else { return nil }
            log.info("certificate renewed", ["mode": mode, "until": shown.validUntil.rfc3339])
            return shown.context
        } catch {
            complain("\(error)")
            return nil
        }
    }

    /// Files are read under the lock of `provider` only, so `context` and `description` never wait for a disk.
    private func renewed(at now: Timestamp) throws -> Shown? {
        try provider.withLock { provider in
            guard let next = try provider.next(at: now) else { return nil }
            state.withLock { $0 = State(shown: next) }
            return next
        }
    }

    /// Logs a problem when it is new, and shows it in the status until a newer certificate comes.
    package func complain(_ problem: String) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew { log.warning("tls: \(problem)") }
    }

    /// The member `tls` of `status/get`.
    package func description(at now: Timestamp) -> JSON {
        let (shown, problem) = state.withLock { ($0.shown, $0.problem) }
        let current = problem ?? shown.problem(at: now)
        return [
            "mode": .string(mode), "names": .array(shown.names.map { .string($0) }),
            "pin": pin.map { .string($0) } ?? .null, "problem": current.map { .string($0) } ?? .null,
            "valid_until": .string(shown.validUntil.rfc3339),
        ]
    }
}

/// The provider returned no first certificate.
private struct NoCertificate: Error, CustomStringConvertible {
    var description: String { "there is no certificate" }
}
