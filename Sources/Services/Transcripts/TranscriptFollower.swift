import Core
import Platform

/// One transcript that clients watch, with those of its subagents: reads what was added, and passes it to them in order,
/// each message once.
actor TranscriptFollower {
    private let session: String
    private let workspaceID: String
    private let index: any TranscriptIndex
    private let now: @Sendable () -> Timestamp
    private let publish: @Sendable (LiveEvent) -> Void
    private let taken: @Sendable () async -> Void
    private let log: any Log
    private var clients: [String: Progress] = [:]
    private var isReading = false
    private var isChanged = false

    /// The numbers of the last messages that were sent to a client.
    struct Progress {
        var sent: Int64
        /// By subagent; `nil` for a client that gets none of their messages.
        var subagents: [String: Int64]?
    }

    /// Messages that are read at a time.
    private static let most = 100

    init(
        session: String, workspaceID: String, index: any TranscriptIndex, log: any Log,
        now: @escaping @Sendable () -> Timestamp, publish: @escaping @Sendable (LiveEvent) -> Void,
        taken: @escaping @Sendable () async -> Void
    ) {
        self.session = session
        self.workspaceID = workspaceID
        self.index = index
        self.log = log
        self.now = now
        self.publish = publish
        self.taken = taken
    }

    func add(_ client: String, _ progress: Progress) { clients[client] = progress }
    func remove(_ client: String) { clients[client] = nil }

    /// Sends what is new. Returns at once if that is being done; it is then done once more.
    func advance() async {
        isChanged = true
        guard !isReading else { return }
        isReading = true
        defer { isReading = false }
        while isChanged {
            isChanged = false
            do {
                try await index.refresh(session: session)
                try await forgetReplaced()
                try await send(of: nil) { $0.sent }
                try await sendSubagents()
            } catch {
                log.warning("a transcript cannot be followed now: \(error)", ["session": session])
            }
        }
    }

    /// A transcript that was replaced is numbered anew, and goes on from its end.
    private func forgetReplaced() async throws {
        let total = try await index.session(session)?.session.facts.messages ?? 0
        for (client, progress) in clients where progress.sent > total { clients[client]?.sent = total }
    }

    private func sendSubagents() async throws {
        guard clients.values.contains(where: { $0.subagents != nil }) else { return }
        for subagent in try await index.subagents(of: session) {
            let agent = subagent.agentID
            for (client, progress) in clients where progress.subagents?[agent] ?? 0 > subagent.messages {
                clients[client]?.subagents?[agent] = subagent.messages
            }
            let origin = SubagentOrigin(agentID: agent, toolUseID: subagent.note?.toolUseID)
            try await send(of: origin) { progress in progress.subagents.map { $0[agent] ?? 0 } }
        }
    }

    /// - Parameters:
    ///   - origin: The subagent whose messages are sent; `nil` for the session's own.
    ///   - number: Returns the number of the last one that was sent; `nil` for a client that gets none.
    private func send(of origin: SubagentOrigin?, _ number: (Progress) -> Int64?) async throws {
        while let after = clients.values.compactMap(number).min() {
            let messages = try await index.messages(
                of: session, agent: origin?.agentID, after: after, limit: Self.most)
            guard let last = messages.last?.number else { return }
            for var message in messages {
                message.origin = origin
                tell(message, to: Set(clients.filter { number($0.value) ?? .max < message.number }.keys))
            }
            for (client, progress) in clients where number(progress) ?? .max < last { note(last, origin, client) }
            // Pages are read faster than they are sent: those of a long transcript would be there all at once.
            await taken()
        }
    }

    private func note(_ number: Int64, _ origin: SubagentOrigin?, _ client: String) {
        if let origin { clients[client]?.subagents?[origin.agentID] = number } else { clients[client]?.sent = number }
    }

    private func tell(_ message: TranscriptMessage, to audience: Set<String>) {
        guard !audience.isEmpty else { return }
        publish(
            LiveEvent(
                at: message.time ?? now(), workspaceID: workspaceID.isEmpty ? nil : workspaceID, sessionID: session,
                body: .transcriptMessage(message), audience: audience))
    }
}
