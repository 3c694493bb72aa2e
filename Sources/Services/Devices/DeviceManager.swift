package import Core
import Platform

/// Adds devices, renews their tokens and revokes them: the one writer of `DeviceRegister`.
package final class DeviceManager: Sendable {
    let register: DeviceRegister
    let store: any DeviceStore
    let broker: Broker
    let connections: [any DeviceConnections]
    let listeners: [any RevocationListener]
    let secrets: Secrets
    let clock: any TimeSource
    let log: any Log
    /// Revocations that the database has not confirmed, by id of the device.
    let unconfirmed = Locked<[String: Revocation]>([:])
    /// Devices of which was told that their right ends within a day.
    private let told = Locked<Set<String>>([])

    package init(
        register: DeviceRegister, store: any DeviceStore, broker: Broker, connections: [any DeviceConnections],
        listeners: [any RevocationListener], source: any SecretSource, clock: any TimeSource, log: any Log
    ) {
        self.register = register
        self.store = store
        self.broker = broker
        self.connections = connections
        self.listeners = listeners
        secrets = Secrets(source: source)
        self.clock = clock
        self.log = log
    }

    var book: Locked<DeviceBook> { register.book }

    /// Adds a paired device and announces it.
    package func pair(name: String, level: AccessLevel, platform: String, address: String) async throws(DeviceFailure)
        -> DeviceCredentials
    {
        let now = clock.now()
        let refresh = secrets.refresh()
        let chain = RefreshChain(
            family: secrets.digest(refresh.family), current: [secrets.digest(refresh.text)], renewedAt: now.wall)
        let device = try await createNamed(name) { name in
            Device(
                id: "d_" + RandomText.base32(bits: 128), name: name, rights: level.rights, platform: platform,
                createdAt: now.wall, credential: .paired(chain), lastSeen: now.wall, lastAddress: address)
        }
        log.info("device paired", ["device": device.id, "name": device.name, "rights": level.rawValue, "at": address])
        await broker.announce(.devicePaired(id: device.id, name: device.name, rights: device.rights))
        return credentials(of: device, refresh: refresh.text, at: now)
    }

    func credentials(of device: Device, refresh: String, at now: Instant) -> DeviceCredentials {
        let access = secrets.access()
        let end = book.withLock { $0.grantAccess(secrets.digest(access), to: device.id, at: now) }
        return DeviceCredentials(device: device, access: access, accessExpiresAt: end, refresh: refresh)
    }

    /// Adds the device under this name, or with a number after it if the name is taken, even by a device that is being
    /// added at the same time.
    private func createNamed(_ name: String, _ make: (String) -> Device) async throws(DeviceFailure) -> Device {
        var taken: Set<String> = []
        while true {
            let free = book.withLock { $0.freeName(name, besides: taken) }
            do throws(DeviceFailure) { return try await create(make(free)) } catch {
                guard case .taken = error, taken.count < 20 else { throw error }
                taken.insert(free)
            }
        }
    }

    private func create(_ device: Device) async throws(DeviceFailure) -> Device {
        guard !book.withLock({ $0.isFull }) else { throw .tooMany(limit: DeviceBook.limit) }
        try await store.create(device)
        book.withLock { $0.add(device) }
        return device
    }

    /// The state read from the database, without the rules of devices that no longer exist: a rule ends with the device
    /// that granted it, even if the daemon died between the two. To be called before the broker settles calls by the
    /// rules.
    package func withoutRulesOfOthers(_ remembered: Remembered) -> Remembered {
        let known = Set(book.withLock { $0.list }.map(\.id))
        var kept = remembered
        let isOfOther = { (rule: SessionRule) in rule.deviceID.map { !known.contains($0) } ?? false }
        kept.rules.removeAll(where: isOfOther)
        for rule in remembered.rules where isOfOther(rule) {
            store.append([.deleteRule(id: rule.id)])
            log.warning("a rule of a device that is gone was dropped", ["rule": rule.id, "of": rule.grantedBy])
        }
        return kept
    }

    /// Ids of the devices that are connected in any dialect.
    private var connected: Set<String> { connections.reduce(into: []) { $0.formUnion($1.devices) } }

    /// Notes connected devices as seen, revokes devices that were unused for too long, and writes revocations that
    /// could not be written.
    package func lookAround() async {
        for id in connected { register.see(id, at: nil) }
        let now = clock.now()
        for device in book.withLock({ $0.expired(at: now) }) {
            _ = await end(device, because: device.reasonOfEnd(at: now.wall))
        }
        for device in book.withLock({ $0.endingSoon(at: now) })
        where told.withLock({ $0.insert(device.id).inserted }) {
            log.warning(
                "a device's right ends within a day; pair it again", ["device": device.id, "name": device.name])
            for listener in listeners { listener.deviceEndsSoon(device) }
        }
        await writeRevocations()
    }
}

extension DeviceManager: DeviceService {
    package func createToken(
        name: String, level: AccessLevel, form: TokenForm
    ) async throws(DeviceFailure) -> (token: String, device: Device) {
        guard DeviceName.isUsable(name) else {
            throw .invalidName("a device's name has 1 to 64 visible characters, without spaces at its ends")
        }
        let secret = secrets.access(form)
        let device = try await create(
            Device(
                id: "d_" + RandomText.base32(bits: 128), name: name, rights: level.rights, createdAt: clock.now().wall,
                credential: .token(hash: secrets.digest(secret))))
        log.info("token created", ["device": device.id, "name": name, "rights": level.rawValue])
        await broker.announce(.devicePaired(id: device.id, name: name, rights: device.rights))
        return (secret, device)
    }

    package func devices() async -> [DeviceView] {
        let connected = connected
        return book.withLock { $0.list }.map { DeviceView(device: $0, isConnected: connected.contains($0.id)) }
    }
}
