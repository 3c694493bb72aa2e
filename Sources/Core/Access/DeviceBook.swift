/// The devices that are not revoked, and their access tokens. A plain value: every input takes the time, and nothing
/// here waits.
///
/// Access tokens are valid for minutes and are kept in memory only: after a restart a device exchanges its refresh
/// token for a new one.
package struct DeviceBook: Sendable {
    private struct Access: Sendable {
        let hash: [UInt8]
        let device: String
        let ends: Uptime
    }

    private var devices: [String: Device]
    private let days: Int?
    private var access: [Access] = []

    /// Seconds for which an access token is valid.
    package static let accessLifetime: Double = 15 * 60
    /// The most access tokens of one device; a further one replaces the oldest.
    static let accessLimit = 8
    /// The most devices. Every token that arrives is compared with each device's.
    package static let limit = 200
    /// Seconds between two updates of when a device was seen.
    static let seenInterval: Double = 60

    /// - Parameter days: The days after its pairing at which a device's right ends; `nil` for no such end.
    package init(_ devices: [Device] = [], days: Int? = nil) {
        self.days = days
        self.devices = [:]
        for device in devices where device.revokedAt == nil && self.devices[device.id] == nil { add(device) }
    }

    package subscript(id: String) -> Device? { devices[id] }

    package var isEmpty: Bool { devices.isEmpty }

    package var isFull: Bool { devices.count >= Self.limit }

    /// The devices, sorted by name.
    package var list: [Device] {
        devices.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    package func named(_ name: String) -> Device? {
        devices.values.first { $0.name == name }
    }

    /// `name`, with a number after it if a device or `others` have it.
    package func freeName(_ name: String, besides others: Set<String> = []) -> String {
        DeviceName.free(name, among: others.union(devices.values.map(\.name)))
    }

    /// The device with this access token or lasting token; `nil` if there is none or it has expired. All digests are
    /// compared, each to its end, so that the time taken tells nothing about them.
    package func owner(of token: [UInt8], at now: Instant) -> Device? {
        var found: String?
        for device in devices.values {
            if case .token(let hash) = device.credential, sameDigest(hash, token) { found = device.id }
        }
        for grant in access where sameDigest(grant.hash, token) && now.uptime < grant.ends { found = grant.device }
        return found.flatMap { devices[$0] }.flatMap { $0.isExpired(at: now.wall) ? nil : $0 }
    }

    /// Returns true if the device is neither revoked nor expired.
    package func admits(_ id: String, at now: Instant) -> Bool {
        devices[id].map { !$0.isExpired(at: now.wall) } ?? false
    }

    package mutating func add(_ device: Device) {
        devices[device.id] = device
        devices[device.id]?.days = days
    }

    /// Devices on the last day of their right, sorted by name.
    package func endingSoon(at now: Instant) -> [Device] {
        list.filter { $0.endsSoon(at: now.wall) && !$0.isExpired(at: now.wall) }
    }

    /// Removes a device and its access tokens; `nil` if no device has this id.
    package mutating func remove(_ id: String) -> Device? {
        access.removeAll { $0.device == id }
        return devices.removeValue(forKey: id)
    }

    /// Settles an exchange of `refresh`: the digest `next` was written and is about to be sent, or could not be written.
    package mutating func settle(_ next: [UInt8], of id: String, isWritten: Bool) {
        guard case .paired(var chain) = devices[id]?.credential else { return }
        if isWritten { chain.confirm(next) } else { chain.withdraw(next) }
        devices[id]?.credential = .paired(chain)
    }

    /// - Returns: The time at which the access token expires.
    package mutating func grantAccess(_ token: [UInt8], to id: String, at now: Instant) -> Timestamp {
        access.removeAll { $0.ends <= now.uptime || devices[$0.device] == nil }
        let own = access.indices.filter { access[$0].device == id }
        if own.count >= Self.accessLimit { access.remove(at: own[0]) }
        let end = now + Self.accessLifetime
        access.append(Access(hash: token, device: id, ends: end.uptime))
        return end.wall
    }

    package enum Refreshed: Sendable, Hashable {
        case expired(Device)
        /// The device with `next` as its refresh token, or as one of them.
        case renewed(Device)
        /// An old token of this device was used: somebody else has a copy.
        case replayed(Device)
        case unknown
    }

    /// Exchanges a refresh token for `next`; `settle` must follow. All parameters are digests.
    package mutating func refresh(
        family: [UInt8], token: [UInt8], next: [UInt8], at now: Instant
    ) -> Refreshed {
        guard let device = holder(of: family), case .paired(var chain) = device.credential else { return .unknown }
        guard !device.isExpired(at: now.wall) else { return .expired(device) }
        guard chain.renew(token, with: next, at: now) != .replayed else { return .replayed(device) }
        var renewed = device
        renewed.credential = .paired(chain)
        devices[device.id] = renewed
        return .renewed(renewed)
    }

    /// The device whose refresh tokens begin with the part of this digest.
    package func holder(of family: [UInt8]) -> Device? {
        devices.values.first { device in
            if case .paired(let chain) = device.credential { sameDigest(chain.family, family) } else { false }
        }
    }

    /// Notes that a device was seen; true if the change has to be written to the database.
    package mutating func see(_ id: String, from address: String?, at now: Instant) -> Bool {
        guard var device = devices[id], !device.isExpired(at: now.wall) else { return false }
        if let last = device.lastSeen, (0..<Self.seenInterval).contains(now.wall.seconds(since: last)),
            address == nil || address == device.lastAddress
        {
            return false
        }
        device.lastSeen = now.wall
        device.lastAddress = address ?? device.lastAddress
        devices[id] = device
        return true
    }

    /// Devices that have expired, sorted by name.
    package func expired(at now: Instant) -> [Device] {
        list.filter { $0.isExpired(at: now.wall) }
    }
}
