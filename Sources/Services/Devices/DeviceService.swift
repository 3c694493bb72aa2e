package import Core

/// The devices that may come in.
package protocol DeviceService: Sendable {
    /// The new token, which is shown this once, and whose it is.
    func createToken(name: String, level: AccessLevel) async throws(DeviceFailure) -> (token: String, device: Device)
    /// By name.
    func devices() async -> [DeviceView]
    /// Lets the device in no more; says what went with it.
    func revoke(_ selector: DeviceSelector, reason: String) async throws(DeviceFailure) -> DeviceRevocation
}

package enum DeviceSelector: Sendable, Hashable {
    case id(String)
    case name(String)
}

/// Why nothing was done with a device; the sentences are for the person at the terminal.
package enum DeviceFailure: Error, Sendable, Hashable {
    case invalidName(String)
    case store(String)
    case taken(name: String)
    case tooMany(limit: Int)
    case unknown(String)
}

/// A device as a list shows it.
package struct DeviceView: Sendable, Hashable {
    package let device: Device
    /// A WebSocket of it is open.
    package let isConnected: Bool

    package init(device: Device, isConnected: Bool) {
        self.device = device
        self.isConnected = isConnected
    }
}

package struct DeviceRevocation: Sendable, Hashable {
    package let device: Device
    /// The session rules it had granted, which are out of force with it.
    package let rules: [SessionRule]

    package init(device: Device, rules: [SessionRule]) {
        self.device = device
        self.rules = rules
    }
}
