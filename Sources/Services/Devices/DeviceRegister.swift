package import Core
import Platform

/// The devices that may connect, in memory, so that a lookup needs no database.
package final class DeviceRegister: Sendable {
    let book: Locked<DeviceBook>
    private let store: any DeviceStore
    private let secrets: Secrets
    private let clock: any TimeSource

    /// - Parameter days: The days after its pairing at which a device's right ends; `nil` for no such end.
    package init(
        _ devices: [Device], days: Int? = nil, store: any DeviceStore, source: any SecretSource, clock: any TimeSource
    ) {
        book = Locked(DeviceBook(devices, days: days))
        self.store = store
        secrets = Secrets(source: source)
        self.clock = clock
    }

    /// The device that has this access token; nil if there is none.
    /// - Parameter address: The address that the token came from, for the list of devices.
    package func owner(of token: String, at address: String?) -> Device? {
        let hash = secrets.digest(token)
        guard let device = book.withLock({ $0.owner(of: hash, at: clock.now()) }) else { return nil }
        see(device.id, at: address)
        return device
    }

    /// True if a device that is connected may still be.
    package func admits(_ id: String) -> Bool {
        book.withLock { $0.admits(id, at: clock.now()) }
    }

    func see(_ id: String, at address: String?) {
        guard book.withLock({ $0.see(id, from: address, at: clock.now()) }) else { return }
        Task { try? await update(id, .normal) }
    }

    /// Writes the device's state at the time of the write, not of the call.
    func update(_ id: String, _ durability: Durability) async throws {
        try await store.updateDevice(durability) { self.book.withLock { $0[id] } }
    }
}
