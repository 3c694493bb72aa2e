package import Core

/// Devices. A lost change would lock a device out or let a revoked one in, so each call returns after its commit.
extension Store {
    /// All devices, revoked ones included, oldest first.
    package func devices() throws(StoreError) -> [Device] {
        try withRepair { (database) throws(StoreError) in try database.devices() }
    }

    /// The time since which devices have a term; `nil` if it is lost.
    package func termsBegin() throws(StoreError) -> Timestamp? {
        try withRepair { (database) throws(StoreError) in
            try database.meta(.termsBegin).map { Timestamp(milliseconds: $0) }
        }
    }

    /// Throws `deviceNameTaken` while an unrevoked device has the name.
    package func createDevice(_ device: Device) throws(StoreError) {
        let isTaken = live.devices.values.contains {
            $0.name == device.name && $0.revokedAt == nil && $0.id != device.id
        }
        if isTaken, device.revokedAt == nil { throw StoreError(.deviceNameTaken(device.name)) }
        try write(device, .full)
    }

    /// Writes what `current` returns at the time of writing, so that of two changes the later one stays, in whatever
    /// order the calls arrive. Writes nothing where `current` returns `nil`, or for a device that is revoked or
    /// unknown.
    package func updateDevice(
        _ durability: Durability, _ current: @Sendable () -> Device?
    ) throws(StoreError) {
        guard let device = current(), live.devices[Array(device.id.utf8)].map({ $0.revokedAt == nil }) == true
        else { return }
        try write(device, durability)
    }

    /// Revokes the device and, in the same transaction, deletes the rules it granted, including a rule that is
    /// committed but not yet confirmed to the device, and what it registered for pushes. Returns the device as it is now, `nil` if no device has this id.
    /// A device that was revoked before keeps its first time.
    package func revokeDevice(id: String, at time: Timestamp) throws(StoreError) -> Device? {
        guard var device = live.devices[Array(id.utf8)] else { return nil }
        guard device.revokedAt == nil else { return device }
        device.revokedAt = time
        let deletion = StoreChange.deleteGrants(ofDevice: device.id)
        try write(device, .full, with: takeQueue() + [deletion])
        return device
    }

    private func write(
        _ device: Device, _ durability: Durability, with batch: [StoreChange] = []
    ) throws(StoreError) {
        do {
            let missing = missingThrough
            try withRepair { (database) throws(StoreError) in
                try self.write(batch, to: database, durability, missingThrough: missing) { () throws(StoreError) in
                    try database.write(device)
                    if device.revokedAt != nil { try database.deletePushRegistrations(reporter: device.id) }
                }
            }
            live.note(device)
            succeeded()
        } catch {
            shared.withLock { $0.queue.putBack(batch) }
            failed(error)
            throw error
        }
    }
}
