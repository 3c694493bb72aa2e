package import Core

/// Notifications, for the methods of clients.
package protocol NoticeService: Sendable {
    /// Notes if a client that may decide is in view.
    /// - Parameter idleFor: Seconds since its user last touched it.
    func presence(of caller: Caller, isVisible: Bool, idleFor seconds: Double) async
    /// The public key that browsers subscribe with: 65 bytes in base64url.
    func pushKey() async throws(NoticeFailure) -> String
    /// Subscribes the caller's device, in place of an earlier subscription of the same device.
    func subscribe(_ keys: PushKeys, by caller: Caller) async throws(NoticeFailure)
    /// Sends a test notification to every channel. Returns each outcome, sorted by the channel's name.
    func test() async -> [ChannelTest]
    /// Ends the subscription of the caller's device. False if there was none.
    func unsubscribe(_ caller: Caller) async throws(NoticeFailure) -> Bool
}

/// A browser's `PushSubscription.toJSON()`, its keys decoded.
package struct PushKeys: Sendable, Hashable {
    package let endpoint: String
    package let p256dh: [UInt8]
    package let authentication: [UInt8]

    package init(endpoint: String, p256dh: [UInt8], authentication: [UInt8]) {
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.authentication = authentication
    }
}

/// The outcome of a test notification on one channel.
package struct ChannelTest: Sendable, Hashable {
    package let channel: String
    /// `nil` if it was delivered.
    package let failure: String?

    package init(channel: String, failure: String?) {
        self.channel = channel
        self.failure = failure
    }
}

/// The reasons for which nothing was done; the messages are for people.
package enum NoticeFailure: Error, Sendable, Hashable {
    /// The caller's values cannot be used.
    case invalid(String)
    /// The daemon failed.
    case unable(String)
}
