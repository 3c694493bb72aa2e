package import Core

/// The database as a start needs it for notifications.
package protocol KeptNoticeStore: Sendable {
    func pushSubscriptions() async throws -> [PushSubscription]
    /// Those whose time has not run out; the others are deleted.
    func answerLinks(at time: Timestamp) async throws -> [AnswerLink]
    func forgetAnswerLinks(_ hashes: [[UInt8]]) async throws
}

/// Push subscriptions and answer links as the database gives them back. What it does not give back is missing until a
/// page subscribes again.
package struct KeptNotices: Sendable {
    package private(set) var subscriptions: [PushSubscription] = []
    package private(set) var links: [AnswerLink] = []

    /// Deletes the answer links that are dead.
    /// - Parameters:
    ///   - grants: what each channel may be given links for, by its id.
    ///   - requests: those that are open.
    package init(
        of store: any KeptNoticeStore, grants: [String: LinkGrant], requests: [PermissionRequest], at now: Timestamp,
        log: any Log
    ) async {
        do {
            subscriptions = try await store.pushSubscriptions()
            let kept = try await store.answerLinks(at: now)
            links = AnswerLinks.alive(kept, grants: grants, requests: requests)
            let alive = Set(links.map(\.hash))
            try await store.forgetAnswerLinks(kept.map(\.hash).filter { !alive.contains($0) })
        } catch {
            log.error("push subscriptions and answer links could not be read: \(error)")
        }
    }
}
