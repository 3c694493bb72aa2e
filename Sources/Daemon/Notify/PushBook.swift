import Core
import Crypto
import Glibc
import Host
import Notify
import Platform
import Services
import Store
import Transport
import Wire

/// The devices that take push messages, and the key they are sent with.
final class PushBook: Sendable {
    private let store: Store
    private let clock: any TimeSource
    private let hosts: [String]
    private let keyPath: String
    private let subscriptions: Locked<[String: PushSubscription]>
    /// Devices whose subscription has ended and is still in the database.
    private let unwritten = Locked<Set<String>>([])
    private let key = Locked<P256Key?>(nil)
    private let admission = Locked<@Sendable (String) -> Bool>({ _ in false })

    /// - Parameter keyPath: 0600; made when the key is asked for the first time.
    init(
        store: Store, subscriptions: [PushSubscription], hosts: [String], keyPath: String, clock: any TimeSource
    ) {
        self.store = store
        self.clock = clock
        self.hosts = hosts
        self.keyPath = keyPath
        self.subscriptions = Locked(
            Dictionary(subscriptions.map { ($0.channelID, $0) }, uniquingKeysWith: { _, last in last }))
    }

    /// Who may subscribe; nobody until this is called.
    func admit(_ body: @escaping @Sendable (String) -> Bool) { admission.withLock { $0 = body } }

    func admits(_ id: String) -> Bool { admission.withLock { $0 }(id) }

    var all: [PushSubscription] { subscriptions.withLock { $0.values.sorted { $0.deviceID < $1.deviceID } } }

    func subscription(channel id: String) -> PushSubscription? { subscriptions.withLock { $0[id] } }

    func subscribe(_ keys: PushKeys, device id: String, name: String) async throws(NoticeFailure) -> PushSubscription {
        guard let endpoint = PushEndpoint(keys.endpoint) else {
            throw .invalid("\"endpoint\" must be an https address without a port")
        }
        guard endpoint.isOn(hosts) else {
            throw .invalid("push services are taken at \(hosts.joined(separator: ", ")) only (notify.push_hosts)")
        }
        guard P256Key.isPoint(keys.p256dh), keys.authentication.count == 16 else {
            throw .invalid("\"keys\" must hold p256dh, a point on P-256 (65 bytes), and auth (16 bytes)")
        }
        let subscription = PushSubscription(
            deviceID: id, deviceName: name, endpoint: keys.endpoint, p256dh: keys.p256dh,
            authentication: keys.authentication, createdAt: clock.now().wall)
        do throws(StoreError) { try await store.keep(subscription) } catch {
            throw .unable("the subscription could not be written down: \(error)")
        }
        // Revoked while it was written: the revocation found nothing to forget.
        guard admits(id) else {
            _ = try await forget(device: id)
            throw .invalid("this device was revoked")
        }
        subscriptions.withLock { $0[subscription.channelID] = subscription }
        unwritten.withLock { _ = $0.remove(id) }
        return subscription
    }

    /// Whether there was one. It is gone from this process, whatever the database says.
    func forget(device id: String) async throws(NoticeFailure) -> Bool {
        let channel = PushSubscription.channelID(device: id)
        let existed = subscriptions.withLock { $0.removeValue(forKey: channel) } != nil
        let wasUnwritten = unwritten.withLock { $0.contains(id) }
        do throws(StoreError) { try await store.forgetPushSubscription(device: id) } catch {
            unwritten.withLock { _ = $0.insert(id) }
            throw .unable(
                "nothing is sent to this device any more, but that could not be written down; it is tried again every "
                    + "minute, and until it is done a restart would bring the subscription back: \(error)")
        }
        unwritten.withLock { _ = $0.remove(id) }
        return existed || wasUnwritten
    }

    /// Tries again what could not be written down.
    func writeForgotten() async {
        for id in unwritten.withLock({ $0 }) where subscription(channel: PushSubscription.channelID(device: id)) == nil
        {
            _ = try? await forget(device: id)
        }
    }

    // MARK: The key

    /// The one of the file, or a new one that is written there.
    func sender() throws(NoticeFailure) -> P256Key {
        // Under the lock, so that of two that ask first only one makes the file.
        let found = key.withLock { key -> Result<P256Key, NoticeFailure> in
            if let key { return .success(key) }
            do throws(NoticeFailure) {
                let found = if let kept = try read() { kept } else { try make() }
                key = found
                return .success(found)
            } catch {
                return .failure(error)
            }
        }
        return try found.get()
    }

    private func read() throws(NoticeFailure) -> P256Key? {
        guard access(keyPath, F_OK) == 0 else { return nil }
        var status = stat()
        // Nothing was ever signed with what a daemon left that died while it made the file.
        if stat(keyPath, &status) == 0, status.st_size == 0 { return nil }
        guard stat(keyPath, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0 || chmod(keyPath, 0o600) == 0,
            let bytes = FileBytes.read(keyPath, limit: 128),
            let key = Base64.decodeEither(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
                .flatMap(P256Key.init(privateBytes:))
        else {
            throw .unable(
                "\(keyPath) holds no key that can be used; remove it, restart, and let each device subscribe again")
        }
        return key
    }

    private func make() throws(NoticeFailure) -> P256Key {
        let key = P256Key.generate()
        let bytes = Array((Base64.encodeForURL(key.privateBytes) + "\n").utf8)
        do throws(FileError) {
            try AtomicFile.replace(keyPath, with: bytes)
        } catch {
            throw .unable("no key could be kept: \(error)")
        }
        return key
    }
}
