/// The state of pairing: offers made at this machine, codes typed elsewhere, confirmations. A plain value in memory,
/// since an offer is valid for minutes. All secrets come as SHA-256 digests.
package struct PairingBook: Sendable {
    /// A pairing token that was given for a typed code. It has no effect without a confirmation.
    private struct Ticket: Sendable {
        let token: [UInt8]
        let offer: String
        var ends: Uptime
        var request: String?
    }

    private var offers: [PairingOffer] = []
    private var requests: [PairingRequest] = []
    private var tickets: [Ticket] = []

    /// Seconds for which an offer is valid, and for which a device that typed the code may wait.
    package static let lifetime: Double = 120
    /// The number of wrong codes after which a code is void.
    package static let attempts = 5
    /// The least seconds in which a device can ask again after it was approved.
    static let approvalLifetime: Double = 10
    /// The most open offers; a further one makes the oldest expire.
    static let limit = 8
    /// Seconds for which an ended offer is kept, so that a late device or `cdev pair` learns what happened.
    static let endedOfferLifetime: Double = 600

    package init() {}

    /// Makes an offer for one device.
    package mutating func offer(
        id: String, token: [UInt8], code: [UInt8], name: String?, level: AccessLevel, at now: Instant
    ) -> PairingOffer {
        prune(at: now)
        let offer = PairingOffer(
            id: id, token: token, code: code, name: name, level: level, createdAt: now.wall,
            expiresAt: now.wall + Self.lifetime, ends: now.uptime + Self.lifetime)
        for index in offers.indices.filter({ offers[$0].state == .open }).dropLast(Self.limit - 1) {
            offers[index].state = .expired
        }
        offers.append(offer)
        return offer
    }

    package enum Typed: Sendable, Hashable {
        /// No offer is open whose code is still valid.
        case none
        /// The code was right; the ticket is valid until then.
        case ticket(expiresAt: Timestamp)
        case wrong(attemptsLeft: Int)
    }

    /// Takes a typed code. A wrong code counts against every open offer, since it is unknown which offer was meant.
    /// - Parameter ticket: Digest of the pairing token that is given for a right code.
    package mutating func type(code: [UInt8], ticket: [UInt8], at now: Instant) -> Typed {
        prune(at: now)
        let open = offers.indices.filter { offers[$0].state == .open && offers[$0].attemptsLeft > 0 }
        guard !open.isEmpty else { return .none }
        var found: Int?
        for index in open where sameDigest(offers[index].code, code) { found = index }
        guard let found else {
            for index in open { offers[index].attemptsLeft -= 1 }
            return .wrong(attemptsLeft: open.map { offers[$0].attemptsLeft }.max() ?? 0)
        }
        offers[found].state = .claimed(request: nil)
        let end = now + Self.lifetime
        tickets.append(Ticket(token: ticket, offer: offers[found].id, ends: end.uptime, request: nil))
        return .ticket(expiresAt: end.wall)
    }

    package enum Exchanged: Sendable, Hashable {
        case expired
        /// The device may be paired, with this name and the offer's rights; the caller then reports to `used`.
        case granted(PairingOffer, name: String?)
        case rejected
        /// The token was exchanged already.
        case spent
        case unknown
        /// The device must be confirmed at this machine. `isNew` is true if this call made the request, which the
        /// caller has to announce.
        case waiting(PairingRequest, isNew: Bool)
    }

    /// Exchanges a pairing token. A granted token cannot be used again.
    /// - Parameter requestID: The id for the request that this call makes, if it makes one.
    package mutating func exchange(
        token: [UInt8], by candidate: PairingCandidate, requestID: String, at now: Instant
    ) -> Exchanged {
        prune(at: now)
        if let index = offers.firstIndex(where: { sameDigest($0.token, token) }) {
            switch offers[index].state {
            case .open:
                offers[index].state = .used(device: "")
                return .granted(offers[index], name: candidate.name)
            case .expired: return .expired
            case .claimed, .rejected, .used: return .spent
            }
        }
        guard let index = tickets.firstIndex(where: { sameDigest($0.token, token) }) else { return .unknown }
        return confirm(index, candidate, requestID, at: now)
    }

    private mutating func confirm(
        _ ticket: Int, _ candidate: PairingCandidate, _ requestID: String, at now: Instant
    ) -> Exchanged {
        guard let offer = offers.firstIndex(where: { $0.id == tickets[ticket].offer }) else { return .expired }
        guard let id = tickets[ticket].request, let request = requests.firstIndex(where: { $0.id == id }) else {
            let left = tickets[ticket].ends.seconds(since: now.uptime)
            guard left > 0 else { return .expired }
            let request = PairingRequest(
                id: requestID, offer: offers[offer].id, name: offers[offer].name ?? candidate.name ?? "device",
                platform: candidate.platform, address: candidate.address, level: offers[offer].level,
                createdAt: now.wall, expiresAt: now.wall + left, ends: tickets[ticket].ends)
            requests.append(request)
            tickets[ticket].request = requestID
            offers[offer].state = .claimed(request: requestID)
            return .waiting(request, isNew: true)
        }
        switch requests[request].state {
        case .approved where now.uptime < requests[request].ends:
            requests[request].state = .used
            offers[offer].state = .used(device: "")
            return .granted(offers[offer], name: requests[request].name)
        case .waiting where now.uptime < requests[request].ends: return .waiting(requests[request], isNew: false)
        case .approved, .waiting: return .expired
        case .rejected: return .rejected
        case .used: return .spent
        }
    }

    /// Notes the device that was paired by a granted offer; `nil` if the device could not be written.
    package mutating func used(_ offer: String, by device: String?) {
        guard let index = offers.firstIndex(where: { $0.id == offer }) else { return }
        offers[index].state = device.map { .used(device: $0) } ?? .rejected
    }

    /// Approves or rejects a request, as a person at this machine decides; `nil` if no device waits under this id.
    package mutating func settle(_ id: String, approved: Bool, at now: Instant) -> PairingRequest? {
        prune(at: now)
        guard
            let index = requests.firstIndex(where: { $0.id == id && $0.state == .waiting && now.uptime < $0.ends })
        else { return nil }
        requests[index].state = approved ? .approved : .rejected
        if approved { extend(index, to: now + Self.approvalLifetime) }
        if !approved, let offer = offers.firstIndex(where: { $0.id == requests[index].offer }) {
            offers[offer].state = .rejected
        }
        return requests[index]
    }

    private mutating func extend(_ request: Int, to end: Instant) {
        requests[request].expiresAt = max(requests[request].expiresAt, end.wall)
        requests[request].ends = max(requests[request].ends, end.uptime)
        for index in tickets.indices where tickets[index].request == requests[request].id {
            tickets[index].ends = max(tickets[index].ends, end.uptime)
        }
    }

    /// Cancels an open offer; false if no open offer has this id.
    package mutating func cancel(_ offer: String, at now: Instant) -> Bool {
        prune(at: now)
        guard let index = offers.firstIndex(where: { $0.id == offer && $0.state == .open }) else { return false }
        offers[index].state = .rejected
        return true
    }

    /// The requests that wait for a confirmation, the oldest first.
    package mutating func waiting(at now: Instant) -> [PairingRequest] {
        prune(at: now)
        return requests.filter { $0.state == .waiting && now.uptime < $0.ends }
    }

    /// The offers of the last minutes, the oldest first.
    package mutating func recentOffers(at now: Instant) -> [PairingOffer] {
        prune(at: now)
        return offers
    }

    private mutating func prune(at now: Instant) {
        for index in offers.indices {
            switch offers[index].state {
            case .open where offers[index].ends <= now.uptime: offers[index].state = .expired
            case .claimed where !isAwaited(offers[index], at: now): offers[index].state = .rejected
            default: break
            }
        }
        offers.removeAll { now.uptime.seconds(since: $0.ends) > Self.endedOfferLifetime }
        let known = Set(offers.map(\.id))
        requests.removeAll { !known.contains($0.offer) }
        tickets.removeAll { !known.contains($0.offer) }
    }

    private func isAwaited(_ offer: PairingOffer, at now: Instant) -> Bool {
        tickets.contains { $0.offer == offer.id && now.uptime < $0.ends }
    }
}
