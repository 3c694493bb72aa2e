package import Core
import Platform

/// The push subscriptions of devices.
package final class PushSubscriptions: Sendable {
    private let store: any PushSubscriptionStore
    private let sender: any PushSender
    private let register: DeviceRegister
    private let clock: any TimeSource
    private let subscriptions: Locked<[String: PushSubscription]>
    /// Devices whose subscription has ended and is still in the database.
    private let unwritten = Locked<Set<String>>([])

    package init(
        _ subscriptions: [PushSubscription], store: any PushSubscriptionStore, sender: any PushSender,
        register: DeviceRegister, clock: any TimeSource
    ) {
        self.store = store
        self.sender = sender
        self.register = register
        self.clock = clock
        self.subscriptions = Locked(
            Dictionary(subscriptions.map { ($0.channelID, $0) }, uniquingKeysWith: { _, last in last }))
    }

    /// True if the device is admitted.
    func admits(_ id: String) -> Bool { register.admits(id) }

    /// The public key that browsers subscribe with: 65 bytes in base64url.
    func publicKey() throws(NoticeFailure) -> String { try sender.publicKey() }

    var all: [PushSubscription] { subscriptions.withLock { $0.values.sorted { $0.deviceID < $1.deviceID } } }

    package func subscription(channel id: String) -> PushSubscription? { subscriptions.withLock { $0[id] } }

    func subscribe(_ keys: PushKeys, device id: String, name: String) async throws(NoticeFailure) -> PushSubscription {
        try sender.check(keys)
        let subscription = PushSubscription(
            deviceID: id, deviceName: name, endpoint: keys.endpoint, p256dh: keys.p256dh,
            authentication: keys.authentication, createdAt: clock.now().wall)
        do { try await store.keep(subscription) } catch {
            throw .unable("the subscription could not be written down: \(error)")
        }
        // If the device was revoked during the write, that revocation found no subscription to delete.
        guard admits(id) else {
            _ = try await forget(device: id)
            throw .invalid("this device was revoked")
        }
        subscriptions.withLock { $0[subscription.channelID] = subscription }
        unwritten.withLock { _ = $0.remove(id) }
        return subscription
    }

    /// Ends the subscription of a device in this process, whatever the database does. False if there was none.
    func forget(device id: String) async throws(NoticeFailure) -> Bool {
        let channel = PushSubscription.channelID(device: id)
        let existed = subscriptions.withLock { $0.removeValue(forKey: channel) } != nil
        let wasUnwritten = unwritten.withLock { $0.contains(id) }
        do { try await store.forgetPushSubscription(device: id) } catch {
            unwritten.withLock { _ = $0.insert(id) }
            throw .unable(
                "nothing is sent to this device any more, but that could not be written down; it is tried again every "
                    + "minute, and until it is done a restart would bring the subscription back: \(error)")
        }
        unwritten.withLock { _ = $0.remove(id) }
        return existed || wasUnwritten
    }

    /// Deletes the subscriptions that could not be deleted before.
    package func writeForgotten() async {
        for id in unwritten.withLock({ $0 }) where subscription(channel: PushSubscription.channelID(device: id)) == nil
        {
            _ = try? await forget(device: id)
        }
    }
}
