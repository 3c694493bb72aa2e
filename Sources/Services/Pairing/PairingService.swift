package import Core

/// Pairing, for the user at this machine.
package protocol PairingService: Sendable {
    /// Invites one device.
    func start(name: String?, level: AccessLevel) async throws(DeviceFailure) -> PairingInvitation
    /// The offers of the last minutes, and the devices that wait for approval.
    func pending() async -> (offers: [PairingOffer], requests: [PairingRequest])
    /// Approves or rejects a device that waits; a rejection may also name an open offer, which it cancels. `nil` if
    /// neither has this id.
    func settle(_ id: String, approved: Bool) async -> PairingSettlement?
}

/// An offer with its secrets, which are not stored and cannot be shown again.
package struct PairingInvitation: Sendable, Hashable {
    package let offer: PairingOffer
    package let token: String
    /// Formatted for people: `k3f9-7qpd`.
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
    /// An offer was cancelled.
    case cancelled
    case request(PairingRequest)
}
