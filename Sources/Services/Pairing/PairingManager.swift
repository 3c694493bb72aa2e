package import Core
import Platform

/// Pairs devices: makes offers for the user at this machine, and takes the codes and tokens that devices send.
package final class PairingManager: Sendable {
    private let devices: DeviceManager
    private let broker: Broker
    private let secrets: Secrets
    private let clock: any TimeSource
    private let log: any Log
    /// The URL at which devices reach the daemon, without a slash at its end.
    package let base: @Sendable () -> String
    private let book = Locked(PairingBook())

    package init(
        devices: DeviceManager, broker: Broker, source: any SecretSource, clock: any TimeSource, log: any Log,
        base: @escaping @Sendable () -> String
    ) {
        self.devices = devices
        self.broker = broker
        secrets = Secrets(source: source)
        self.clock = clock
        self.log = log
        self.base = base
    }

    package enum Exchanged: Sendable {
        case credentials(DeviceCredentials)
        case failed(DeviceFailure)
        case refused(PairingBook.Exchanged)
        case waiting(PairingRequest)
    }

    /// Exchanges a pairing token for the tokens of a device.
    package func exchange(_ token: String, by candidate: PairingCandidate) async -> Exchanged {
        let requestID = "preq_" + RandomText.base32(bits: 128)
        let outcome = book.withLock {
            $0.exchange(
                token: secrets.digest(token), by: candidate, requestID: requestID, at: clock.now())
        }
        switch outcome {
        case .granted(let offer, let name): return await letIn(candidate, as: name, by: offer)
        case .waiting(let request, let isNew):
            if isNew {
                log.info("pairing requested", ["request": request.id, "at": request.address])
                await broker.announce(.pairingRequested(request))
            }
            return .waiting(request)
        case .expired, .rejected, .spent, .unknown: return .refused(outcome)
        }
    }

    private func letIn(_ candidate: PairingCandidate, as name: String?, by offer: PairingOffer) async -> Exchanged {
        do throws(DeviceFailure) {
            let credentials = try await devices.pair(
                name: offer.name ?? name ?? "device", level: offer.level, platform: candidate.platform,
                address: candidate.address)
            book.withLock { $0.used(offer.id, by: credentials.device.id) }
            return .credentials(credentials)
        } catch {
            book.withLock { $0.used(offer.id, by: nil) }
            log.error("a device could not be taken in: \(error)")
            return .failed(error)
        }
    }

    package enum Typed: Sendable {
        case none
        case token(String, expiresAt: Timestamp)
        case wrong(attemptsLeft: Int)
    }

    /// Exchanges a typed code for a pairing token, whose use needs the user's approval.
    package func type(_ code: String, at address: String) -> Typed {
        let token = secrets.pairing()
        // A text that has not the form of a code counts as a wrong code.
        let normal = PairingCode.normalized(code) ?? ""
        let outcome = book.withLock {
            $0.type(code: secrets.digest(normal), ticket: secrets.digest(token), at: clock.now())
        }
        switch outcome {
        case .none: return .none
        case .ticket(let end): return .token(token, expiresAt: end)
        case .wrong(let left):
            log.warning("wrong pairing code", ["at": address, "attempts_left": "\(left)"])
            return .wrong(attemptsLeft: left)
        }
    }
}

extension PairingManager: PairingService {
    package func start(name: String?, level: AccessLevel) async throws(DeviceFailure) -> PairingInvitation {
        if let name, !DeviceName.isUsable(name) {
            throw .invalidName("a device's name has 1 to 64 visible characters, without spaces at its ends")
        }
        let token = secrets.pairing()
        let code = RandomText.base32(bits: 40)
        let offer = book.withLock {
            $0.offer(
                id: "pair_" + RandomText.base32(bits: 128), token: secrets.digest(token), code: secrets.digest(code),
                name: name, level: level, at: clock.now())
        }
        log.info("pairing offered", ["offer": offer.id, "rights": level.rawValue])
        return PairingInvitation(
            offer: offer, token: token, code: PairingCode.shown(code), url: "\(base())/#pair=\(token)")
    }

    package func pending() async -> (offers: [PairingOffer], requests: [PairingRequest]) {
        let now = clock.now()
        return book.withLock { ($0.recentOffers(at: now), $0.waiting(at: now)) }
    }

    package func settle(_ id: String, approved: Bool) async -> PairingSettlement? {
        let now = clock.now()
        if !approved, book.withLock({ $0.cancel(id, at: now) }) { return .cancelled }
        guard let request = book.withLock({ $0.settle(id, approved: approved, at: now) }) else { return nil }
        log.info(approved ? "pairing approved" : "pairing rejected", ["request": id])
        return .request(request)
    }
}
