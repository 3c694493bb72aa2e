package import Core

/// How people are told, as methods need it.
package protocol NoticeService: Sendable {
    /// A client that may decide says whether it is in view.
    /// - Parameter idleFor: Seconds since its user last touched it.
    func presence(of caller: Caller, isVisible: Bool, idleFor seconds: Double) async
    /// The public key that browsers subscribe with: 65 bytes in base64url.
    func pushKey() async throws(NoticeFailure) -> String
    /// Takes the place of an earlier subscription of the same device.
    func subscribe(_ keys: PushKeys, by caller: Caller) async throws(NoticeFailure)
    /// Sends a notification to every channel; what became of each, by its name.
    func test() async -> [ChannelTest]
    /// Whether there was one.
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

/// What became of a test notification.
package struct ChannelTest: Sendable, Hashable {
    package let channel: String
    /// `nil` where it was taken.
    package let failure: String?

    package init(channel: String, failure: String?) {
        self.channel = channel
        self.failure = failure
    }
}

/// Why nothing was done; the sentences are for people.
package enum NoticeFailure: Error, Sendable, Hashable {
    /// What was sent cannot be used.
    case invalid(String)
    /// The fault is here.
    case unable(String)
}
