package import Core

/// The part of the database that push subscriptions need.
package protocol PushSubscriptionStore: Sendable {
    func keep(_ subscription: PushSubscription) async throws
    func forgetPushSubscription(device id: String) async throws
}

/// The sender of push messages: it has the key, and knows which push services and browser keys it can use.
package protocol PushSender: Sendable {
    /// The public key that browsers subscribe with: 65 bytes in base64url.
    func publicKey() throws(NoticeFailure) -> String
    /// Throws `invalid` for a subscription to which nothing can or may be sent.
    func check(_ keys: PushKeys) throws(NoticeFailure)
}

/// Sends notices to channels.
package protocol NoticeSender: Sendable {
    /// - Parameter number: Number of the message; the same for each attempt to deliver it.
    func send(_ notice: Notice, number: UInt64, to channel: String) async -> NoticeOutcome
    /// Cancels the messages that are being sent.
    func stop()
}
