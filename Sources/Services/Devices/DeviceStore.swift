package import Core

/// The part of the database that devices need.
package protocol DeviceStore: Sendable {
    /// Takes changes that may be written up to 50 ms later; never waits.
    func append(_ changes: [StoreChange])
    /// Throws `taken` if another device has the name; the check and the write are one step.
    func create(_ device: Device) async throws(DeviceFailure)
    /// Returns once the revocation, and the end of the rules that the device granted, are on the disk.
    func revokeDevice(id: String, at time: Timestamp) async throws -> Device?
    /// Writes the device that `current` returns at the time of the write; nothing if it returns `nil`.
    func updateDevice(_ durability: Durability, _ current: @Sendable () -> Device?) async throws
}

/// The connections that devices have open.
package protocol DeviceConnections: Sendable {
    /// Ids of the devices that are connected.
    var devices: Set<String> { get }
    func close(device id: String, reason: String)
}

/// Is told of each revoked device, after its connections were closed, and of each device whose right ends within a day.
package protocol RevocationListener: Sendable {
    /// Told once more if the revocation was not confirmed. Returns the reason for which a restart would undo what it ended;
    /// `nil` if none does.
    func deviceRevoked(_ id: String) async -> String?
    func deviceEndsSoon(_ device: Device)
}
