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

/// How devices are let in; everything here belongs to the user at this machine.
package protocol PairingService: Sendable {
    /// Invites one device.
    func start(name: String?, level: AccessLevel) async throws(DeviceFailure) -> PairingInvitation
    /// Offers of the last minutes and requests that wait.
    func pending() async -> (offers: [PairingOffer], requests: [PairingRequest])
    /// Says yes or no to a request; a no may also name an open offer, to take it back. `nil` where nobody waits under
    /// this id any more.
    func settle(_ id: String, approved: Bool) async -> PairingSettlement?
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

/// An offer with its secrets, which are shown this once.
package struct PairingInvitation: Sendable, Hashable {
    package let offer: PairingOffer
    package let token: String
    /// As people read it: `k3f9-7qpd`.
    package let code: String
    /// `http://127.0.0.1:8766/#pair=TOKEN`
    package let url: String

    package init(offer: PairingOffer, token: String, code: String, url: String) {
        self.offer = offer
        self.token = token
        self.code = code
        self.url = url
    }
}

package enum PairingSettlement: Sendable, Hashable {
    /// An offer was taken back.
    case cancelled
    case request(PairingRequest)
}
