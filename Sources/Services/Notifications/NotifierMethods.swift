package import Core

extension Notifier: NoticeService {
    package func presence(of caller: Caller, isVisible: Bool, idleFor seconds: Double) async {
        // A device is one browser: its socket and its calls over HTTP speak of the same screen.
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
        // A new address has not failed yet, and was told nothing. The same one goes on: a page tells it each time it
        // connects, and what the device was told has still to be replaced when it is answered.
        if former?.endpoint != subscription.endpoint { remove(channel: subscription.channelID) }
        add(subscription.noticeChannel)
        // A revocation from here on finds the channel; one before may have come too early for it.
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
    /// The device is let in no more: nothing is sent to it.
    package func deviceRevoked(_ id: String) async {
        do throws(NoticeFailure) { _ = try await end(device: id) } catch {
            log.error("the push subscription of a revoked device is still written down", ["why": "\(error)"])
        }
    }
}
