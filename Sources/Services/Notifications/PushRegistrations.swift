package import Core
import Platform

/// The part of the database that registrations of apps need.
package protocol PushRegistrationStore: Sendable {
    /// Deletes the registration of a token, unless it was renewed after `time`.
    func forgetPushRegistration(token: String, registeredBy time: Timestamp) async throws
    func forgetPushRegistrations(reporter: String) async throws
}

/// The apps that registered at a push service, as notice channels.
package final class PushRegistrations: Sendable {
    private let store: any PushRegistrationStore
    private let register: DeviceRegister
    private let isConfigured: Bool
    private let most: Int
    private let kept: Locked<[String: KeptRegistration]>

    /// - Parameters:
    ///   - isConfigured: True if the daemon has a key for the push service.
    ///   - most: The most registrations of one reporter, as the database keeps them.
    package init(
        _ registrations: [KeptRegistration], store: any PushRegistrationStore, register: DeviceRegister,
        isConfigured: Bool, most: Int = ReportLimits().mostRegistrations
    ) {
        self.store = store
        self.register = register
        self.isConfigured = isConfigured
        self.most = most
        kept = Locked([:])
        for registration in registrations where admits(registration.reporter) { add(registration) }
    }

    package func registration(channel id: String) -> KeptRegistration? { kept.withLock { $0[id] } }

    func admits(_ reporter: String) -> Bool { reporter == Caller.localReporter || register.admits(reporter) }

    /// The channels of the apps. Nobody can answer in such an app, so its pushes lead to an answer only where one of our
    /// own devices is on the same person's phone.
    var channels: [NoticeChannel] {
        guard isConfigured else { return [] }
        let answers = register.hasPhone
        return kept.withLock { $0.keys.sorted() }.map {
            NoticeChannel(id: $0, answers: answers, gathers: true, takesReports: true)
        }
    }

    /// The channel's name for people: the name of the device that registered, and the beginning of the token.
    func name(channel id: String) -> String? {
        registration(channel: id).map { registration in
            let device = register.book.withLock { $0[registration.reporter]?.name } ?? "this machine"
            return "apns \(device) (\(registration.registration.token.prefix(6)))"
        }
    }

    /// Adds or renews a registration; beyond the reporter's share the oldest goes.
    func add(_ registration: KeptRegistration) {
        guard let channel = registration.channelID else { return }
        kept.withLock { kept in
            kept[channel] = registration
            let own = kept.filter { $0.value.reporter == registration.reporter }
                .sorted { $0.value.registeredAt < $1.value.registeredAt }
            for (id, _) in own.dropLast(most) { kept[id] = nil }
        }
    }

    /// Ends a registration of which the push service says that it is over.
    func forget(channel id: String) async throws {
        guard let registration = kept.withLock({ $0.removeValue(forKey: id) }) else { return }
        try await store.forgetPushRegistration(
            token: registration.registration.token, registeredBy: registration.registeredAt)
    }

    /// Ends the registrations of a device in this process; the database deletes them with the device.
    func end(reporter: String) {
        kept.withLock { kept in kept = kept.filter { $0.value.reporter != reporter } }
    }

    /// Deletes from the database what a device registered while it was revoked.
    func delete(reporter: String) async throws {
        end(reporter: reporter)
        try await store.forgetPushRegistrations(reporter: reporter)
    }
}

extension DeviceRegister {
    /// True if a phone of Apple's was paired with our page and may decide. A token proves no such thing: the app itself
    /// has one.
    fileprivate var hasPhone: Bool {
        book.withLock(\.list).contains { device in
            device.credential.kind == .paired && device.rights.contains(.decide) && admits(device.id)
                && ["iphone", "ipad", "ios"].contains(device.platform.lowercased())
        }
    }
}
