package import Core

/// The database as push subscriptions need it.
package protocol PushSubscriptionStore: Sendable {
    func keep(_ subscription: PushSubscription) async throws
    func forgetPushSubscription(device id: String) async throws
}

/// Whoever sends push messages: it has the key, and knows which push services and keys of browsers it can use.
package protocol PushSender: Sendable {
    /// The public key that browsers subscribe with: 65 bytes in base64url.
    func publicKey() throws(NoticeFailure) -> String
    /// Throws `invalid` for a subscription that nothing can or may be sent to.
    func check(_ keys: PushKeys) throws(NoticeFailure)
}

/// Brings notices to channels.
package protocol NoticeSender: Sendable {
    /// - Parameter number: The same for one message, for receivers that want to know.
    func send(_ notice: Notice, number: UInt64, to channel: String) async -> NoticeOutcome
    /// What is being sent is given up.
    func stop()
}
