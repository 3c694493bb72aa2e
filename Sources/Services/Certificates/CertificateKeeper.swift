package import Core
package import OrderedJSON
import Platform

/// Where the certificate of a listener comes from. Asked now and then, on any thread but the loop's.
package protocol CertificateProvider: Sendable {
    /// What the listener is given.
    associatedtype Context: Sendable

    /// A certificate that is to be shown from now on; `nil` while the last one still holds.
    /// - Throws: why there is no better one; the last one is kept.
    mutating func next(at now: Timestamp) throws -> ShownCertificate<Context>?
}

/// A certificate as clients are shown it.
package struct ShownCertificate<Context: Sendable>: Sendable {
    /// Host names it is for.
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

    /// Why clients refuse it; `nil` where its time has come and not gone.
    fileprivate func problem(at now: Timestamp) -> String? {
        if validUntil <= now { return "the certificate has ended; clients refuse it" }
        guard validFrom > now else { return nil }
        return
            "the certificate begins at \(validFrom.rfc3339), and until then clients refuse it: either this machine's "
            + "clock is behind, or it was ahead when the certificate was made"
    }
}

/// Keeps the certificate of a listener current. What goes wrong later than the start is logged, and changes nothing.
package final class CertificateKeeper<Provider: CertificateProvider>: Sendable {
    package typealias Shown = ShownCertificate<Provider.Context>

    private struct State {
        var shown: Shown
        var problem: String?
    }

    private let mode: String
    private let pin: String?
    /// Held while files are read, by `look` alone.
    private let provider: Locked<Provider>
    private let state: Locked<State>
    private let log: any Log

    /// - Parameters:
    ///   - mode: As the configuration calls the provider.
    ///   - pin: What clients may remember in place of the certificate, where it stays the same with the next one.
    /// - Throws: why there is no first certificate.
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

    /// Looks whether there is a newer certificate; `nil` if all is as it was. It reads files, so not on the loop's thread.
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

    /// Logs a problem once, however often it is met, and shows it in the status until a newer certificate comes.
    package func complain(_ problem: String) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew { log.warning("tls: \(problem)") }
    }

    /// As `status/get` shows it.
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

/// A provider had nothing to begin with.
private struct NoCertificate: Error, CustomStringConvertible {
    var description: String { "there is no certificate" }
}
