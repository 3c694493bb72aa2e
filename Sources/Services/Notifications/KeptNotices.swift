package import Core

/// The part of the database that a start reads for notifications.
package protocol KeptNoticeStore: Sendable {
    func pushSubscriptions() async throws -> [PushSubscription]
    func pushRegistrations() async throws -> [KeptRegistration]
    /// The links that have not expired; expired ones are deleted.
    func answerLinks(at time: Timestamp) async throws -> [AnswerLink]
    func forgetAnswerLinks(_ hashes: [[UInt8]]) async throws
}

/// Push subscriptions, registrations of apps and answer links, read from the database at the start. If reading fails,
/// they are missing until a page subscribes or an app registers again.
package struct KeptNotices: Sendable {
    package private(set) var subscriptions: [PushSubscription] = []
    package private(set) var registrations: [KeptRegistration] = []
    package private(set) var links: [AnswerLink] = []

    /// Reads all three, and deletes the answer links that are no longer valid.
    /// - Parameters:
    ///   - grants: The links that each channel may be given, by the channel's id.
    ///   - requests: The open requests.
    package init(
        of store: any KeptNoticeStore, grants: [String: LinkGrant], requests: [PermissionRequest], at now: Timestamp,
        log: any Log
    ) async {
        do {
            subscriptions = try await store.pushSubscriptions()
            registrations = try await store.pushRegistrations()
            let kept = try await store.answerLinks(at: now)
            links = AnswerLinks.alive(kept, grants: grants, requests: requests)
            let alive = Set(links.map(\.hash))
            try await store.forgetAnswerLinks(kept.map(\.hash).filter { !alive.contains($0) })
        } catch {
            log.error("push subscriptions, registrations and answer links could not be read: \(error)")
        }
    }
}
