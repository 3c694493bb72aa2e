package import Core
import Platform

/// The reasons for which a secret gives no link.
package enum AnswerLinkRefusal: Error {
    case unknown, used
}

/// The valid answer links. Only hashes are stored; each link gives one answer to one request, once.
package final class AnswerLinks: Sendable {
    private let store: any AnswerLinkStore
    private let source: any SecretSource
    private let clock: any TimeSource
    private let log: any Log
    private let grants: [String: LinkGrant]
    private let state: Locked<AnswerLinkState>

    /// Seconds for which a link is remembered after its request's deadline, in case no end of the request is published.
    private static let remembered: Double = 86_400

    /// - Parameters:
    ///   - links: The links that are still valid, see `alive`.
    ///   - grants: The links that each channel may be given, by channel.
    package init(
        store: any AnswerLinkStore, links: [AnswerLink], grants: [String: LinkGrant], source: any SecretSource,
        clock: any TimeSource, log: any Log
    ) {
        self.store = store
        self.source = source
        self.clock = clock
        self.log = log
        self.grants = grants
        state = Locked(AnswerLinkState(links))
    }

    /// Those of `links` that are still valid: today's configuration would give them to their channel, and their request
    /// is open.
    package static func alive(
        _ links: [AnswerLink], grants: [String: LinkGrant], requests: [PermissionRequest]
    ) -> [AnswerLink] {
        guard !links.isEmpty else { return [] }
        let open = Dictionary(
            requests.lazy.filter(\.isOpen).map { ($0.id, $0.opening) }, uniquingKeysWith: { first, _ in first })
        return links.filter { grants[$0.channel]?.covers($0) == true && open[$0.requestID] == $0.opening }
    }

    /// Makes secrets for new links, which are written to the database before they are given out.
    package func make(
        _ verbs: Set<Decision>, for request: PermissionRequest, channel: String
    ) async -> [Decision: String] {
        guard let grant = grants[channel] else { return [:] }
        let now = clock.now().wall
        var secrets: [Decision: String] = [:]
        for verb in verbs.intersection(grant.verbs) {
            let secret = source.random(bytes: 16)
            let link = AnswerLink(
                hash: source.digest(secret), requestID: request.id, opening: request.opening, verb: verb,
                channel: channel, destination: grant.destination, createdAt: now,
                expiresAt: request.deadline + Self.remembered)
            guard let replaced = state.withLock({ $0.add(link, at: now) }) else { return [:] }
            await write(link)
            // The request may have ended while the link was written.
            let dead = state.withLock { $0.isAlive(link) } ? replaced : replaced + [link.hash]
            await forget(dead)
            secrets[verb] = secret
        }
        return secrets
    }

    /// The link of this secret, used or not; nil if unknown or expired. Looks up the hash, so the time taken tells
    /// nothing about a secret.
    package func link(_ secret: String) -> AnswerLink? {
        let hash = source.digest(secret)
        return state.withLock { $0.link(hash) }.flatMap { $0.expiresAt > clock.now().wall ? $0 : nil }
    }

    /// Reserves the link for one answer until `end`.
    package func begin(_ secret: String) -> Result<AnswerLink, AnswerLinkRefusal> {
        guard let link = link(secret) else { return .failure(.unknown) }
        return state.withLock { $0.begin(link) } ? .success(link) : .failure(.used)
    }

    /// - Parameter isAccepted: True if the broker took the answer, which uses up the link.
    package func end(_ link: AnswerLink, isAccepted: Bool) async {
        let now = clock.now().wall
        // Nothing is written about the links of a request that has ended.
        if let used = state.withLock({ $0.end(link, isAccepted: isAccepted, at: now) }) { await write(used) }
    }

    /// Removes the links of a request that has ended.
    package func ended(_ request: PermissionRequest) {
        // Without a channel that may have links there are none; this is called for every call that ends.
        guard !grants.isEmpty else { return }
        let dead = state.withLock { $0.ended(request) }
        guard !dead.isEmpty else { return }
        Task { await forget(dead) }
    }

    private func write(_ link: AnswerLink) async {
        do { try await store.keep(link) } catch {
            log.warning("an answer link was not written down; it ends with this daemon: \(error)")
        }
    }

    private func forget(_ hashes: [[UInt8]]) async {
        guard !hashes.isEmpty else { return }
        do { try await store.forgetAnswerLinks(hashes) } catch {
            log.warning("dead answer links are still written down, until the next start: \(error)")
        }
    }
}

/// The database as answer links need it.
package protocol AnswerLinkStore: Sendable {
    func keep(_ link: AnswerLink) async throws
    func forgetAnswerLinks(_ hashes: [[UInt8]]) async throws
}
