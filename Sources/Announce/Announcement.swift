/// What became of an announcement.
package enum AnnouncementEvent: Sendable {
    /// Under this name, which is another one if the wanted was taken.
    case announced(String)
    case failed(String)
}

#if canImport(CAvahi)
    import CAvahi

    /// Announces a service of this machine in the local network (DNS-SD, RFC 6763) for as long as it lives, through the
    /// machine's Avahi daemon, on a thread of that library. An Avahi daemon that starts later, or again, is told then.
    package final class Announcement: @unchecked Sendable {  // guard: on Avahi's thread, then by `stop` alone
        private let avahi: cavahi
        private let tell: @Sendable (AnnouncementEvent) -> Void
        private let poll: OpaquePointer
        private var client: OpaquePointer?
        private var group: OpaquePointer?
        private var name: String
        private let type: String
        private let port: UInt16

        /// - Parameters:
        ///   - name: For people, at most 63 bytes. Where another service has it, a number is added.
        ///   - type: Such as `_http._tcp`.
        ///   - tell: Called on Avahi's thread.
        /// - Returns: `nil` where Avahi's client library is not installed.
        package init?(_ name: String, type: String, port: UInt16, tell: @escaping @Sendable (AnnouncementEvent) -> Void)
        {
            var avahi = cavahi()
            guard cavahi_load(&avahi) != 0, let poll = avahi.threaded_poll_new() else { return nil }
            (self.avahi, self.poll, self.tell) = (avahi, poll, tell)
            (self.name, self.type, self.port) = (name, type, port)
        }

        /// Call once.
        package func start() {
            connect()
            _ = avahi.threaded_poll_start(poll)
        }

        /// Takes it back. Call once, behind `start`; nothing may follow.
        package func stop() {
            _ = avahi.threaded_poll_stop(poll)
            if let client { _ = avahi.client_free(client) }
            avahi.threaded_poll_free(poll)
        }

        // MARK: On Avahi's thread

        private func connect() {
            var code: Int32 = 0
            let context = Unmanaged.passUnretained(self).toOpaque()
            let changed: AvahiClientCallback = { client, state, context in
                guard let client, let context else { return }
                Unmanaged<Announcement>.fromOpaque(context).takeUnretainedValue().changed(client, state)
            }
            // With the flag, it waits for a daemon that does not run yet.
            client = avahi.client_new(avahi.threaded_poll_get(poll), AVAHI_CLIENT_NO_FAIL, changed, context, &code)
            if client == nil { fail(code) }
        }

        private func changed(_ client: OpaquePointer, _ state: AvahiClientState) {
            // The first call comes before `connect` has it.
            self.client = client
            switch state {
            case AVAHI_CLIENT_S_RUNNING: publish(by: client)
            case AVAHI_CLIENT_S_COLLISION, AVAHI_CLIENT_S_REGISTERING:
                // The machine gets another name; then it runs again.
                if let group { _ = avahi.entry_group_reset(group) }
            case AVAHI_CLIENT_FAILURE: reconnect(from: client)
            default: break
            }
        }

        private func reconnect(from client: OpaquePointer) {
            let code = avahi.client_errno(client)
            guard code == AVAHI_ERR_DISCONNECTED else { return fail(code) }
            group = nil
            _ = avahi.client_free(client)
            self.client = nil
            connect()
        }

        private func publish(by client: OpaquePointer) {
            if group == nil {
                let changed: AvahiEntryGroupCallback = { _, state, context in
                    guard let context else { return }
                    Unmanaged<Announcement>.fromOpaque(context).takeUnretainedValue().changed(state)
                }
                group = avahi.entry_group_new(client, changed, Unmanaged.passUnretained(self).toOpaque())
            }
            guard let group else { return fail(avahi.client_errno(client)) }
            let anyInterface: AvahiIfIndex = -1
            let anyProtocol: AvahiProtocol = -1
            // Nothing is told but the port: who wants to know more needs a token.
            let code = avahi.entry_group_add_service_strlst(
                group, anyInterface, anyProtocol, AvahiPublishFlags(rawValue: 0), name, type, nil, nil, port, nil)
            if code == AVAHI_ERR_COLLISION { return rename() }
            guard code == 0 else { return fail(code) }
            let committed = avahi.entry_group_commit(group)
            if committed != 0 { fail(committed) }
        }

        private func changed(_ state: AvahiEntryGroupState) {
            switch state {
            case AVAHI_ENTRY_GROUP_COLLISION: rename()
            case AVAHI_ENTRY_GROUP_ESTABLISHED: tell(.announced(name))
            case AVAHI_ENTRY_GROUP_FAILURE: if let client { fail(avahi.client_errno(client)) }
            default: break
            }
        }

        private func rename() {
            guard let client, let group, let next = avahi.alternative_service_name(name) else { return }
            name = String(cString: next)
            avahi.free(next)
            _ = avahi.entry_group_reset(group)
            publish(by: client)
        }

        private func fail(_ code: Int32) {
            tell(.failed(avahi.strerror(code).map { String(cString: $0) } ?? "error \(code)"))
        }
    }
#else
    /// Avahi is Linux's.
    package final class Announcement: Sendable {
        package init?(_ name: String, type: String, port: UInt16, tell: @escaping @Sendable (AnnouncementEvent) -> Void)
        {
            return nil
        }
        package func start() {}
        package func stop() {}
    }
#endif
