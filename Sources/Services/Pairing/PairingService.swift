package import Core

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
