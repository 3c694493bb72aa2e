import Core
import Platform

/// Revocation of devices: effective at once in this process, and confirmed once no restart can admit the device again.
extension DeviceManager {
    /// A revocation whose caller was not told that it is written.
    struct Revocation: Sendable {
        let device: Device
        let at: Timestamp
        var isWritten = false
    }

    /// The outcome of a device's request to sign out.
    package enum SignOut: Sendable {
        case done
        case failed(String)
        /// The token belongs to no device.
        case unknown
    }

    /// Revokes the device that has this refresh token, whether the token is its newest or an older one.
    package func signOut(_ token: String) async -> SignOut {
        guard let sent = Secrets.Refresh(text: token), let device = holder(of: secrets.digest(sent.family)) else {
            return .unknown
        }
        return await end(device, because: "it signed out").map { .failed($0) } ?? .done
    }

    private func holder(of family: [UInt8]) -> Device? {
        book.withLock { $0.holder(of: family) }
            ?? DeviceBook(unconfirmed.withLock { $0.values.map(\.device) }).holder(of: family)
    }

    /// Revokes the device. Returns the reason for which that could not be written; `nil` if it was.
    func end(_ device: Device, because reason: String) async -> String? {
        do throws(DeviceFailure) {
            _ = try await revoke(.id(device.id), reason: reason)
            return nil
        } catch {
            log.error("a device was not revoked for good: \(error)", ["device": device.id])
            return if case .store(let message) = error { message } else { nil }
        }
    }

    /// Revokes a device. This process admits it no more, whatever the database does. Returns once no restart can admit
    /// it either; if that failed, calling again tells whether it is written by now.
    package func revoke(_ selector: DeviceSelector, reason: String) async throws(DeviceFailure) -> DeviceRevocation {
        let removed = book.withLock { book -> Device? in
            switch selector {
            case .id(let id): book.remove(id)
            case .name(let name): book.named(name).flatMap { book.remove($0.id) }
            }
        }
        guard let device = removed else { return try await confirm(selector) }
        for each in connections { each.close(device: device.id, reason: "this device was revoked: \(reason)") }
        let rules = await broker.dropDevice(id: device.id)
        log.info(
            "device revoked", ["device": device.id, "name": device.name, "why": reason, "rules": "\(rules.count)"])
        let now = clock.now().wall
        // Set before the write, so that a second call for the same device waits for the database too.
        unconfirmed.withLock { $0[device.id] = Revocation(device: device, at: now) }
        let failure = await write(device, at: now)
        await broker.announce(.deviceRevoked(id: device.id, name: device.name, reason: reason, rules: rules))
        if let failure { throw failure }
        return DeviceRevocation(device: device, rules: rules)
    }

    private func confirm(_ selector: DeviceSelector) async throws(DeviceFailure) -> DeviceRevocation {
        let known = unconfirmed.withLock { $0.values }.first {
            selector == .id($0.device.id) || selector == .name($0.device.name)
        }
        guard let known else {
            switch selector {
            case .id(let text), .name(let text): throw .unknown(text)
            }
        }
        if let failure = await write(known.device, at: known.at) { throw failure }
        return DeviceRevocation(device: known.device, rules: [])
    }

    /// Writes a revocation, the end of the rules that the device granted, and of what else it began.
    private func write(_ device: Device, at time: Timestamp) async -> DeviceFailure? {
        var kept: [String] = []
        for listener in listeners { if let why = await listener.deviceRevoked(device.id) { kept.append(why) } }
        do {
            _ = try await store.revokeDevice(id: device.id, at: time)
            guard kept.isEmpty else {
                return .store("the device is let in no more, but \(kept.joined(separator: "; "))")
            }
            unconfirmed.withLock { $0[device.id] = nil }
            return nil
        } catch {
            return .store(
                "the device is let in no more, but that could not be written down; it is tried again every minute, and "
                    + "until it is done a restart would let the device in again: \(error)")
        }
    }

    /// Writes the revocations that could not be written before.
    package func writeRevocations() async {
        for (id, revocation) in unconfirmed.withLock({ $0 }) where !revocation.isWritten {
            do { _ = try await store.revokeDevice(id: id, at: revocation.at) } catch { continue }
            unconfirmed.withLock { $0[id]?.isWritten = true }
            log.info("a revocation is written down now", ["device": id])
        }
    }
}
