package import Core

extension Notifier: NoticeService {
    package func presence(of caller: Caller, isVisible: Bool, idleFor seconds: Double) async {
        // A device is one browser: its WebSocket and its HTTP calls report on the same screen.
        presence(of: caller.deviceID ?? caller.logName, isVisible: isVisible, idleFor: seconds)
    }

    package func pushKey() async throws(NoticeFailure) -> String {
        try pushes.publicKey()
    }

    package func subscribe(_ keys: PushKeys, by caller: Caller) async throws(NoticeFailure) {
        guard case .device(let id, let name) = caller.identity else {
            throw .invalid("only a device with a token takes push messages; the browser's page subscribes itself")
        }
        let former = pushes.subscription(channel: PushSubscription.channelID(device: id))
        let subscription = try await pushes.subscribe(keys, device: id, name: name)
        // A new endpoint has not failed yet and was sent nothing, so it starts as a new channel. The same endpoint
        // keeps its channel: a page subscribes each time it connects, and notifications already sent there must still
        // be replaced when the request is answered.
        if former?.endpoint != subscription.endpoint { remove(channel: subscription.channelID) }
        add(subscription.noticeChannel)
        // A revocation after `add` finds the channel; one before it may have come too early.
        guard pushes.admits(id) else {
            _ = try await end(device: id)
            throw .invalid("this device was revoked")
        }
        log.info("device takes push messages", ["device": name])
    }

    package func unsubscribe(_ caller: Caller) async throws(NoticeFailure) -> Bool {
        guard let id = caller.deviceID else { return false }
        return try await end(device: id)
    }

    package func test() async -> [ChannelTest] {
        let failures: [String: String?] = await test()
        return failures.map { ChannelTest(channel: name(of: $0.key), failure: $0.value) }
            .sorted { $0.channel < $1.channel }
    }

    fileprivate func end(device id: String) async throws(NoticeFailure) -> Bool {
        presence(of: id, isVisible: false, idleFor: 0)
        remove(channel: PushSubscription.channelID(device: id))
        return try await pushes.forget(device: id)
    }
}

extension Notifier: RevocationListener {
    package func deviceEndsSoon(_ device: Device) {
        let now = clock.now()
        change { $0.tellOfEnd(of: device, at: now) }
    }

    /// Ends the subscription of a revoked device, and what it registered for an app. None of a device that there is not is
    /// used after a restart.
    package func deviceRevoked(_ id: String) async -> String? {
        apps.end(reporter: id)
        adjustApps()
        do throws(NoticeFailure) { _ = try await end(device: id) } catch {
            log.error("the push subscription of a revoked device is still written down", ["why": "\(error)"])
        }
        return nil
    }
}
