package import Core
import Platform

/// The session that each connected client looks at, as it said. Clients that look at the same session are told when
/// another comes or goes.
package final class SessionViewers: Sendable {
    package struct Focus: Sendable, Hashable {
        package let workspaceID: String
        package let sessionID: String
        /// Who looks, as a resolver is spelled; empty if nobody can tell.
        package let name: String

        package init(workspaceID: String, sessionID: String, name: String = "") {
            self.workspaceID = workspaceID
            self.sessionID = sessionID
            self.name = name
        }
    }

    private let clock: any TimeSource
    private let announce: @Sendable (LiveEvent) -> Void
    /// By the client's id: a client looks at one session at a time, so there are no more than connections.
    private let focuses = Locked<[String: Focus]>([:])

    package init(clock: any TimeSource, announce: @escaping @Sendable (LiveEvent) -> Void) {
        self.clock = clock
        self.announce = announce
    }

    /// The clients that look at the session, sorted.
    package func viewers(of session: String) -> [String] {
        focuses.withLock { Self.viewers(of: session, in: $0) }
    }

    /// Who these clients are; those of whom nobody can tell are left out.
    package func names(of clients: [String]) -> [String: String] {
        focuses.withLock { Self.names(of: clients, in: $0) }
    }

    private static func names(of clients: [String], in focuses: [String: Focus]) -> [String: String] {
        clients.reduce(into: [:]) { names, client in
            if let name = focuses[client]?.name, !name.isEmpty { names[client] = name }
        }
    }

    /// The client looks at this session from now on; at none if `focus` is `nil`.
    /// - Returns: The other clients that look at it, sorted.
    @discardableResult package func focus(_ client: String, on focus: Focus?) -> [String] {
        let (former, remaining, others, names) = focuses.withLock { focuses in
            let former = focuses[client]
            var names = Self.names(of: [client], in: focuses)
            focuses[client] = focus
            let remaining = former.map { Self.viewers(of: $0.sessionID, in: focuses) } ?? []
            let others = focus.map { Self.viewers(of: $0.sessionID, in: focuses).filter { $0 != client } } ?? []
            names.merge(Self.names(of: remaining + others + [client], in: focuses)) { $1 }
            return (former, remaining, others, names)
        }
        guard former?.sessionID != focus?.sessionID else { return others }
        if let former {
            let names = names.filter { $0.key == client || remaining.contains($0.key) }
            tell(of: former, .sessionLeft(client: client, remaining: remaining, names: names), to: remaining)
        }
        if let focus {
            let names = names.filter { $0.key == client || others.contains($0.key) }
            tell(of: focus, .sessionJoined(client: client, others: others, names: names), to: others)
        }
        return others
    }

    /// The client's connection closed.
    package func left(_ client: String) { focus(client, on: nil) }

    private static func viewers(of session: String, in focuses: [String: Focus]) -> [String] {
        focuses.filter { $0.value.sessionID.utf8.elementsEqual(session.utf8) }.keys.sorted()
    }

    private func tell(of focus: Focus, _ body: LiveEvent.Body, to clients: [String]) {
        guard !clients.isEmpty else { return }
        announce(
            LiveEvent(
                at: clock.now().wall, workspaceID: focus.workspaceID, sessionID: focus.sessionID, body: body,
                audience: Set(clients)))
    }
}
