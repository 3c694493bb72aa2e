import Core
import Platform
import Services
import Store
import Transport

/// Who may come in: the book, kept in memory, and what each change of it brings about. Looking somebody up asks no
/// database.
final class DeviceKeeper: Sendable {
    let store: Store
    let broker: Broker
    let audience: Audience
    let clock: any TimeSource
    let log: ServerLog
    let book: Locked<DeviceBook>
    /// Revocations that are on their way to the database, or that it would not take: by id of the device.
    let unconfirmed = Locked<[String: Revocation]>([:])
    let revoked = Locked<[@Sendable (Device) async -> Void]>([])

    init(store: Store, devices: [Device], broker: Broker, audience: Audience, clock: any TimeSource, log: ServerLog) {
        self.store = store
        self.broker = broker
        self.audience = audience
        self.clock = clock
        self.log = log
        book = Locked(DeviceBook(devices))
    }

    var isEmpty: Bool { book.withLock { $0.isEmpty } }

    /// Called for every device that may do nothing any more, after its connections were closed.
    func onRevoke(_ body: @escaping @Sendable (Device) async -> Void) {
        revoked.withLock { $0.append(body) }
    }

    /// Whose token this is.
    /// - Parameter address: where it came from, for the list of devices.
    func owner(of token: String, at address: String?) -> Device? {
        let hash = Secrets.digest(token)
        guard let device = book.withLock({ $0.owner(of: hash, at: clock.now()) }) else { return nil }
        see(device.id, at: address)
        return device
    }

    /// Whether a device that came in may still do so.
    func admits(_ id: String) -> Bool {
        book.withLock { $0.admits(id, at: clock.now()) }
    }

    private func see(_ id: String, at address: String?) {
        guard book.withLock({ $0.see(id, from: address, at: clock.now()) }) else { return }
        Task { try? await update(id, .normal) }
    }

    /// Writes the device as it is when the store's turn comes.
    private func update(_ id: String, _ durability: Durability) async throws(StoreError) {
        try await store.updateDevice(durability) { self.book.withLock { $0[id] } }
    }

    static let awayTooLong = "it was not used for 7 days"

    // MARK: Coming in

    /// The tokens of a device, which are shown this once.
    struct Credentials: Sendable {
        let device: Device
        let access: String
        let accessExpiresAt: Timestamp
        let refresh: String
    }

    /// Takes a paired device in and tells everybody.
    func pair(name: String, level: AccessLevel, platform: String, address: String) async throws(DeviceFailure)
        -> Credentials
    {
        let now = clock.now()
        let refresh = Secrets.Refresh()
        let chain = RefreshChain(
            family: Secrets.digest(refresh.family), current: [Secrets.digest(refresh.text)], renewedAt: now.wall)
        let device = try await createNamed(name) { name in
            Device(
                id: "d_" + RandomText.base32(bits: 128), name: name, rights: level.rights, platform: platform,
                createdAt: now.wall, credential: .paired(chain), lastSeen: now.wall, lastAddress: address)
        }
        log.info("device paired", ["device": device.id, "name": device.name, "rights": level.rawValue, "at": address])
        await broker.announce(.devicePaired(id: device.id, name: device.name, rights: device.rights))
        return credentials(of: device, refresh: refresh.text, at: now)
    }

    private func credentials(of device: Device, refresh: String, at now: Instant) -> Credentials {
        let access = Secrets.access()
        let end = book.withLock { $0.grantAccess(Secrets.digest(access), to: device.id, at: now) }
        return Credentials(device: device, access: access, accessExpiresAt: end, refresh: refresh)
    }

    /// With a number behind the name where it is taken, also by one that comes in just now.
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
        do throws(StoreError) {
            try await store.createDevice(device)
        } catch {
            if case .deviceNameTaken = error.kind { throw .taken(name: device.name) }
            throw .store("nothing was made: \(error)")
        }
        book.withLock { $0.add(device) }
        return device
    }

    enum Refreshed: Sendable {
        case credentials(Credentials)
        /// The token is unknown, old or expired: the device must be paired again.
        case refused(String)
        case store
    }

    func refresh(_ token: String, at address: String) async -> Refreshed {
        guard let sent = Secrets.Refresh(text: token) else {
            return .refused("this is no refresh token of this daemon")
        }
        let next = Secrets.Refresh(family: sent.family)
        let now = clock.now()
        let outcome = book.withLock {
            $0.refresh(
                family: Secrets.digest(sent.family), token: Secrets.digest(sent.text),
                next: Secrets.digest(next.text), at: now)
        }
        switch outcome {
        case .unknown: return .refused("this refresh token is unknown, or its device was revoked; pair again")
        case .expired(let device):
            _ = await end(device, because: Self.awayTooLong)
            return .refused("this device was away for too long; pair again")
        case .replayed(let device):
            _ = await end(device, because: "an old refresh token of it was used: somebody may have copied it")
            return .refused("this refresh token was used before, so its device was revoked; pair again")
        case .renewed(let before, let after):
            do throws(StoreError) {
                try await update(after.id, .full)
            } catch {
                book.withLock { $0.undo(after, to: before) }
                log.error("a refresh token could not be written down: \(error)", ["device": after.id])
                return .store
            }
            guard admits(after.id) else { return .refused("this device was revoked; pair again") }
            see(after.id, at: address)
            return .credentials(credentials(of: after, refresh: next.text, at: now))
        }
    }

    /// What was remembered without the rules of devices that are gone: a rule goes with the device that granted it, also
    /// where the daemon died between the two. Before the broker settles anything by them.
    func withoutRulesOfOthers(_ remembered: Remembered) -> Remembered {
        let known = Set(book.withLock { $0.list }.map { Resolver.device(name: $0.name).spelling })
        var kept = remembered
        kept.rules.removeAll {
            $0.grantedBy.hasPrefix(Resolver.device(name: "").spelling) && !known.contains($0.grantedBy)
        }
        for rule in remembered.rules where !kept.rules.contains(rule) {
            store.append([.deleteRule(id: rule.id)])
            log.warning("a rule of a device that is gone was dropped", ["rule": rule.id, "of": rule.grantedBy])
        }
        return kept
    }

    /// Devices that stay connected are seen, those that stay away for too long end.
    func lookAround() async {
        for id in audience.devices { see(id, at: nil) }
        for device in book.withLock({ $0.expired(at: clock.now()) }) {
            _ = await end(device, because: Self.awayTooLong)
        }
        await writeRevocations()
    }
}

extension DeviceKeeper: DeviceService {
    func createToken(name: String, level: AccessLevel) async throws(DeviceFailure) -> (token: String, device: Device) {
        guard DeviceName.isUsable(name) else {
            throw .invalidName("a device's name has 1 to 64 visible characters, without spaces at its ends")
        }
        let secret = Secrets.access()
        let device = try await create(
            Device(
                id: "d_" + RandomText.base32(bits: 128), name: name, rights: level.rights, createdAt: clock.now().wall,
                credential: .token(hash: Secrets.digest(secret))))
        log.info("token created", ["device": device.id, "name": name, "rights": level.rawValue])
        await broker.announce(.devicePaired(id: device.id, name: name, rights: device.rights))
        return (secret, device)
    }

    func devices() async -> [DeviceView] {
        let connected = audience.devices
        return book.withLock { $0.list }.map { DeviceView(device: $0, isConnected: connected.contains($0.id)) }
    }
}
