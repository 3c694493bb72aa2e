package import Core

/// The database as devices need it.
package protocol DeviceStore: Sendable {
    /// Takes changes that may be written up to 50 ms later; never waits.
    func append(_ changes: [StoreChange])
    /// Throws `taken` where another device has the name, which is looked at and written in one step.
    func create(_ device: Device) async throws(DeviceFailure)
    /// Returns once the row, and the end of the rules the device granted, are on the disk.
    func revokeDevice(id: String, at time: Timestamp) async throws -> Device?
    /// Writes what `current` returns when the write's turn has come; nothing where it returns `nil`.
    func updateDevice(_ durability: Durability, _ current: @Sendable () -> Device?) async throws
}

/// The connections that devices have open.
package protocol DeviceConnections: Sendable {
    /// Ids of the devices that are connected.
    var devices: Set<String> { get }
    func close(device id: String, reason: String)
}

/// Is told of each device that may do nothing any more, after its connections were closed.
package protocol RevocationListener: Sendable {
    func deviceRevoked(_ id: String) async
}
