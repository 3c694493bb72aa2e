/// An invitation made at this machine: a link to scan and a code to type, valid for one device and two minutes.
package struct PairingOffer: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// The code was typed; the device needs a confirmation at this machine.
        case claimed(request: String?)
        /// No device used the offer in time.
        case expired
        case open
        /// The offer was cancelled, or the confirmation was refused or never came.
        case rejected
        /// A device used the offer. The id is empty while the device is being written to the database.
        case used(device: String)
    }

    /// `pair_` and 128 random bits.
    package let id: String
    /// SHA-256 of the token in the link.
    let token: [UInt8]
    /// SHA-256 of the code.
    let code: [UInt8]
    /// The name for the device; `nil` if the device is to keep the name it gives itself.
    package let name: String?
    package let level: AccessLevel
    package let createdAt: Timestamp
    /// By the wall clock, for display; `ends` decides.
    package let expiresAt: Timestamp
    let ends: Uptime
    /// The number of wrong codes that may still be typed before the code is void; the link stays valid.
    package internal(set) var attemptsLeft = PairingBook.attempts
    package internal(set) var state = State.open
}

/// A device that typed the code and waits for a confirmation.
package struct PairingRequest: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case approved, rejected, used, waiting
    }

    /// `preq_` and 128 random bits.
    package let id: String
    package let offer: String
    /// The name that the offer gives, else the name that the device gave itself.
    package let name: String
    package let platform: String
    package let address: String
    package let level: AccessLevel
    package let createdAt: Timestamp
    /// By the wall clock, for display; `ends` decides.
    package internal(set) var expiresAt: Timestamp
    var ends: Uptime
    package internal(set) var state = State.waiting
}

extension PairingRequest {
    /// Restores a request from its event record. Its `ends` is in the past, because no device waits for it any more.
    package init(
        id: String, offer: String, name: String, platform: String, address: String, level: AccessLevel,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.init(
            id: id, offer: offer, name: name, platform: platform, address: address, level: level,
            createdAt: createdAt, expiresAt: expiresAt, ends: Uptime(milliseconds: 0))
    }
}

/// The name and platform that a device gives when it asks to be paired, and its address.
package struct PairingCandidate: Sendable, Hashable {
    package let name: String?
    package let platform: String
    package let address: String

    package init(name: String?, platform: String, address: String) {
        self.name = name
        self.platform = platform
        self.address = address
    }
}
