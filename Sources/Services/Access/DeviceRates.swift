package import Core

/// Limits what one device sends in a minute, over all its connections, whichever dialect they speak. Callers of this
/// machine are not limited.
package struct DeviceRates: Sendable {
    private let clock: any TimeSource
    private let messages = RateLimiter(perMinute: 600)
    /// Of JSON-RPC. No device shall occupy the thread for large messages.
    private let bytes = RateLimiter(perMinute: 32 << 20)
    /// Each request for a chat completion holds the whole conversation.
    private let chatBytes = RateLimiter(perMinute: 64 << 20)
    /// Other machines may report fifty events a second.
    private let reports = RateLimiter(perMinute: 3000)
    /// A hook's input holds what a tool wrote.
    private let reportBytes = RateLimiter(perMinute: 64 << 20)

    package init(clock: any TimeSource) {
        self.clock = clock
    }

    /// True if the device may send so many messages; counts them.
    package func admits(messages count: Int, from caller: Caller) -> Bool { take(count, of: messages, caller) }

    /// True if the device may send so many bytes of JSON-RPC; counts them.
    package func admits(bytes count: Int, from caller: Caller) -> Bool { take(count, of: bytes, caller) }

    /// True if the device may send so many bytes of chats; counts them.
    package func admits(chatBytes count: Int, from caller: Caller) -> Bool { take(count, of: chatBytes, caller) }

    /// True if the device may send so many reports of sessions; counts them.
    package func admits(reports count: Int, from caller: Caller) -> Bool { take(count, of: reports, caller) }

    /// True if the device may send so many bytes of reports; counts them.
    package func admits(reportBytes count: Int, from caller: Caller) -> Bool { take(count, of: reportBytes, caller) }

    private func take(_ count: Int, of limit: RateLimiter, _ caller: Caller) -> Bool {
        caller.deviceID.map { limit.take(count, for: $0, at: clock.uptime) } ?? true
    }
}
