package import Core

/// Is told of reported sessions: the notifications that were kept, and the apps that registered for them.
package protocol ReportListener: Sendable {
    /// False while no app is to be told.
    var takesReports: Bool { get }
    func kept(_ notice: ReportedNotice)
    /// Returns false if the device that registered is revoked; the registration is then deleted again.
    func registered(_ registration: KeptRegistration) async -> Bool
}

extension Notifier: ReportListener {
    package func kept(_ notice: ReportedNotice) {
        let now = clock.now()
        change {
            $0.reported(notice, at: now)
            return []
        }
    }

    package func registered(_ registration: KeptRegistration) async -> Bool {
        apps.add(registration)
        adjustApps()
        // A revocation after `add` finds the registration; one before it may have come too early.
        guard !apps.admits(registration.reporter) else { return true }
        do { try await apps.delete(reporter: registration.reporter) } catch {
            log.error("the push registration of a revoked device is still written down", ["why": "\(error)"])
        }
        adjustApps()
        return false
    }

    /// Makes the channels those of the registrations that there are.
    func adjustApps() {
        let wanted = apps.channels
        let ids = Set(wanted.map(\.id))
        change { state in
            for (channel, _) in state.overview where channel.takesReports && !ids.contains(channel.id) {
                state.remove(channel: channel.id)
            }
            for channel in wanted {
                state.update(channel)
                state.add(channel)
            }
            return []
        }
    }

    func dropApp(_ channel: String) {
        let name = name(of: channel)
        log.info("an app is no longer registered at its push service", ["channel": name])
        Task {
            do { try await apps.forget(channel: channel) } catch {
                log.warning("an app's push registration is still written down", ["channel": name, "why": "\(error)"])
            }
        }
    }
}
