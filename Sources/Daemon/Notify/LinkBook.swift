import Core
import Crypto
import Notify
import Store
import Transport

/// The answer links that are alive. Only hashes are kept; each gives one answer to one question, once.
final class LinkBook: Sendable {
    /// Why a secret opens nothing.
    enum Refusal: Error {
        case unknown, used
    }

    private struct State {
        var links: [[UInt8]: AnswerLink] = [:]
        /// Their answers are on the way to the broker.
        var busy: Set<[UInt8]> = []
    }

    private let store: Store
    private let clock: any WallClock
    private let log: ServerLog
    private let grants: [String: LinkGrant]
    private let state: Locked<State>

    /// Seconds a link is remembered beyond the deadline of its question, which may be opened again.
    private static let remembered: Double = 86_400

    /// - Parameter grants: By channel. A link that its channel would not be given today is dead.
    init(
        store: Store, links: [AnswerLink], grants: [String: LinkGrant], clock: any WallClock, log: ServerLog
    ) {
        self.store = store
        self.clock = clock
        self.log = log
        self.grants = grants
        let alive = links.filter { grants[$0.channel]?.covers($0) == true }
        state = Locked(State(links: Dictionary(alive.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })))
    }

    /// New secrets; written down before they leave.
    func make(
        _ verbs: Set<Decision>, for request: PermissionRequest, channel: String
    ) async -> [Decision: String] {
        guard let grant = grants[channel] else { return [:] }
        let now = clock.now()
        var secrets: [Decision: String] = [:]
        for verb in verbs.intersection(grant.verbs) {
            let secret = RandomText.base64URL(bytes: 16)
            let link = AnswerLink(
                hash: Digest.sha256(Array(secret.utf8)), requestID: request.id, opening: request.opening, verb: verb,
                channel: channel, destination: grant.destination, createdAt: now,
                expiresAt: request.deadline + Self.remembered)
            state.withLock { state in
                state.links = state.links.filter { $0.value.expiresAt > now }
                state.links[link.hash] = link
            }
            await write(link)
            secrets[verb] = secret
        }
        return secrets
    }

    /// The link of this secret, whatever became of it; its hash is looked up, so the time tells nothing of a secret.
    func link(_ secret: String) -> AnswerLink? {
        let hash = Digest.sha256(Array(secret.utf8))
        return state.withLock { $0.links[hash] }.flatMap { $0.expiresAt > clock.now() ? $0 : nil }
    }

    /// Takes the link for one answer; nobody else gets it until `end`.
    func begin(_ secret: String) -> Result<AnswerLink, Refusal> {
        guard let link = link(secret) else { return .failure(.unknown) }
        return state.withLock { state in
            guard state.links[link.hash]?.usedAt == nil, state.busy.insert(link.hash).inserted else {
                return .failure(.used)
            }
            return .success(link)
        }
    }

    /// - Parameter isAccepted: The answer counts, so the link is used up.
    func end(_ link: AnswerLink, isAccepted: Bool) async {
        let now = clock.now()
        let used = state.withLock { state -> AnswerLink? in
            state.busy.remove(link.hash)
            guard isAccepted else { return nil }
            state.links[link.hash]?.usedAt = now
            return state.links[link.hash]
        }
        if let used { await write(used) }
    }

    private func write(_ link: AnswerLink) async {
        do throws(StoreError) { try await store.keep(link) } catch {
            log.warning("an answer link was not written down; it ends with this daemon: \(error)")
        }
    }
}
