package import Core
import Platform

/// The tokens of a device. They are not stored, so they can be sent only now.
package struct DeviceCredentials: Sendable {
    package let device: Device
    package let access: String
    package let accessExpiresAt: Timestamp
    package let refresh: String
}

/// A device exchanges its refresh token for new tokens.
extension DeviceManager {
    package enum Refreshed: Sendable {
        case credentials(DeviceCredentials)
        /// The token is unknown, old or expired: the device must be paired again.
        case refused(String)
        case store
    }

    package func refresh(_ token: String, at address: String) async -> Refreshed {
        guard let sent = Secrets.Refresh(text: token) else {
            return .refused("this is no refresh token of this daemon")
        }
        let next = secrets.refresh(after: sent.family)
        let digest = secrets.digest(next.text)
        let now = clock.now()
        let outcome = book.withLock {
            $0.refresh(
                family: secrets.digest(sent.family), token: secrets.digest(sent.text), next: digest, at: now)
        }
        switch outcome {
        case .unknown: return .refused("this refresh token is unknown, or its device was revoked; pair again")
        case .expired(let device):
            let reason = device.reasonOfEnd(at: now.wall)
            _ = await end(device, because: reason)
            return .refused("this device's right has ended: \(reason); pair again")
        case .replayed(let device):
            _ = await end(device, because: "an old refresh token of it was used: somebody may have copied it")
            return .refused("this refresh token was used before, so its device was revoked; pair again")
        case .renewed(let after):
            do {
                try await register.update(after.id, .full)
            } catch {
                book.withLock { $0.settle(digest, of: after.id, isWritten: false) }
                log.error("a refresh token could not be written down: \(error)", ["device": after.id])
                return .store
            }
            book.withLock { $0.settle(digest, of: after.id, isWritten: true) }
            guard register.admits(after.id) else { return .refused("this device was revoked; pair again") }
            register.see(after.id, at: address)
            return .credentials(credentials(of: after, refresh: next.text, at: now))
        }
    }
}
