package import Core

/// Lists, adds and revokes devices.
package protocol DeviceService: Sendable {
    /// Makes a device with a token. Returns the token, which is not stored and cannot be shown again, and the device.
    func createToken(
        name: String, level: AccessLevel, form: TokenForm
    ) async throws(DeviceFailure) -> (token: String, device: Device)
    /// All devices, sorted by name.
    func devices() async -> [DeviceView]
    /// Revokes a device; returns it with the rules that ended with it.
    func revoke(_ selector: DeviceSelector, reason: String) async throws(DeviceFailure) -> DeviceRevocation
}

extension DeviceService {
    package func createToken(
        name: String, level: AccessLevel
    ) async throws(DeviceFailure) -> (token: String, device: Device) {
        try await createToken(name: name, level: level, form: .own)
    }
}

/// Tells how a token is spelled.
package enum TokenForm: Sendable, Hashable {
    /// `cdev_s_` and 256 bits in base64url.
    case own
    /// This prefix and 128 bits in hexadecimal digits, for clients that expect that of a key.
    case hexadecimal(prefix: String)
}

package enum DeviceSelector: Sendable, Hashable {
    case id(String)
    case name(String)
}

/// The reasons for which a request about a device failed; the messages are for the person at the terminal.
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
    /// True if a WebSocket of the device is open.
    package let isConnected: Bool

    package init(device: Device, isConnected: Bool) {
        self.device = device
        self.isConnected = isConnected
    }
}

package struct DeviceRevocation: Sendable, Hashable {
    package let device: Device
    /// The session rules that the device had granted, which ended with it.
    package let rules: [SessionRule]

    package init(device: Device, rules: [SessionRule]) {
        self.device = device
        self.rules = rules
    }
}
