/// An invitation made at this machine: a token to scan and a code to type, for one device, for two minutes.
package struct PairingOffer: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// The code was typed; the device waits for a confirmation at this machine.
        case claimed(request: String?)
        /// Nobody came in time.
        case expired
        case open
        /// The confirmation was refused, or never came.
        case rejected
        /// The device that came in.
        case used(device: String)
    }

    /// `pair_` and random letters.
    package let id: String
    /// SHA-256 of the token in the link.
    let token: [UInt8]
    /// SHA-256 of the code.
    let code: [UInt8]
    /// What the device is to be called; `nil`: as it calls itself.
    package let name: String?
    package let level: AccessLevel
    package let createdAt: Timestamp
    /// As people are shown it; `ends` is what counts.
    package let expiresAt: Timestamp
    let ends: Uptime
    /// Wrong codes until the code is void; the link is not.
    package internal(set) var attemptsLeft = PairingBook.attempts
    package internal(set) var state = State.open
}

/// A device that typed the code and waits to be let in.
package struct PairingRequest: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case approved, rejected, used, waiting
    }

    /// `preq_` and random letters.
    package let id: String
    package let offer: String
    /// As it calls itself, or as the offer says.
    package let name: String
    package let platform: String
    package let address: String
    package let level: AccessLevel
    package let createdAt: Timestamp
    /// As people are shown it; `ends` is what counts.
    package internal(set) var expiresAt: Timestamp
    var ends: Uptime
    package internal(set) var state = State.waiting
}

extension PairingRequest {
    /// As a record tells it: nobody waits for it any more.
    package init(
        id: String, offer: String, name: String, platform: String, address: String, level: AccessLevel,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.init(
            id: id, offer: offer, name: name, platform: platform, address: address, level: level,
            createdAt: createdAt, expiresAt: expiresAt, ends: Uptime(milliseconds: 0))
    }
}

/// Who asks to be paired, as far as it says.
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
