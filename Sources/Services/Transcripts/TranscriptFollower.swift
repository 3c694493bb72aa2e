import Core
import Platform

/// One transcript that clients watch: reads what was added, and passes it to them in order, each message once.
actor TranscriptFollower {
    private let session: String
    private let workspaceID: String
    private let index: any TranscriptIndex
    private let now: @Sendable () -> Timestamp
    private let publish: @Sendable (LiveEvent) -> Void
    private let log: any Log
    /// The number of the last message that was sent to each client.
    private var sent: [String: Int64] = [:]
    private var isReading = false
    private var isChanged = false

    /// Messages that are read at a time.
    private static let most = 100

    init(
        session: String, workspaceID: String, index: any TranscriptIndex, log: any Log,
        now: @escaping @Sendable () -> Timestamp, publish: @escaping @Sendable (LiveEvent) -> Void
    ) {
        self.session = session
        self.workspaceID = workspaceID
        self.index = index
        self.log = log
        self.now = now
        self.publish = publish
    }

    func add(_ client: String, after number: Int64) { sent[client] = number }
    func remove(_ client: String) { sent[client] = nil }

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
                try await send()
            } catch {
                log.warning("a transcript cannot be followed now: \(error)", ["session": session])
            }
        }
    }

    /// A transcript that was replaced is numbered anew, and goes on from its end.
    private func forgetReplaced() async throws {
        let total = try await index.session(session)?.session.facts.messages ?? 0
        for (client, number) in sent where number > total { sent[client] = total }
    }

    private func send() async throws {
        while let after = sent.values.min() {
            let messages = try await index.messages(of: session, after: after, limit: Self.most)
            guard let last = messages.last else { return }
            for message in messages { tell(message) }
            for (client, number) in sent where number < last.number { sent[client] = last.number }
        }
    }

    private func tell(_ message: TranscriptMessage) {
        let clients = Set(sent.filter { $0.value < message.number }.keys)
        guard !clients.isEmpty else { return }
        publish(
            LiveEvent(
                at: message.time ?? now(), workspaceID: workspaceID.isEmpty ? nil : workspaceID, sessionID: session,
                body: .transcriptMessage(message), audience: clients))
    }
}
