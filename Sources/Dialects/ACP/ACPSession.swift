package import Core
import OrderedJSON
import Platform
package import Services
import Wire

/// A session that an editor has open: a session that the daemon runs, under the agent's id of its conversation.
package final class ACPSession: Subscriber {
    /// The stage of a prompt of this editor.
    enum Wait {
        case begun
        case ended(PromptEnd)
        case waiting(CheckedContinuation<PromptEnd, Never>)
    }

    /// What became of a prompt before it was sent.
    enum PromptBeginning {
        case cancelled
        case expected
        case takenBack
    }

    struct State {
        var agentID: String
        /// Events that came while the history was sent; `nil` once each is sent at once.
        var held: [PublishedEvent]? = []
        var prompts: [String: Wait] = [:]
        /// The requests that sent them.
        var requests: [JSONRPCID: String] = [:]
        var cancelled: Set<String> = []
        var takenBack: Set<String> = []
        /// Requests that were received, and whose prompts are not known yet.
        var arrived: [JSONRPCID: PromptBeginning] = [:]
        /// The editor's calls of questions, by the requests' ids.
        var questions: [String: String] = [:]
        var shown = ACPShown()
        var calls = ACPCalls()
        var todos = TodoList()
        /// `nil` once the agent works on another: a prompt that it took into that one may end before it does.
        var lastTurn: TurnEnd?
        /// `nil` once the session is not followed any more.
        var phase: RunPhase?
        /// Those who wait for another phase.
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// The mode, model and title that the editor knows.
        var told: ACPSettings
    }

    package let number: UInt64
    package let id: String
    package let caller: Caller
    /// As the editor has it.
    let sessionID: String
    let runID: String
    let directory: String
    let parts: ACPServices.Parts
    let spelling: any ACPSpelling
    let state: Locked<State>
    private weak let client: ACPClient?

    private static let lastNumber = Locked<UInt64>(0)

    init(_ session: RunSession, as sessionID: String, of client: ACPClient) {
        number = Self.lastNumber.withLock { last in
            last += 1
            return last
        }
        id = "\(client.id).\(number)"
        caller = client.caller
        self.sessionID = sessionID
        runID = session.id
        directory = session.directory
        parts = client.services.parts
        spelling = client.services.spelling
        state = Locked(
            State(
                agentID: session.agentID, phase: session.phase,
                told: ACPSettings(session)))
        self.client = client
    }

    /// An editor shows the questions of its own sessions alone, so no other call waits for it.
    package var isApprover: Bool { false }

    package var filter: EventFilter {
        EventFilter(sessions: [runID, state.withLock { $0.agentID }], kinds: Self.kinds)
    }

    private static let kinds: Set<EventKind> = [
        .permissionResolved, .runCall, .runChildEnd, .runChildStart, .runDelta, .runInfo, .runPermission, .runPromptEnd,
        .runQuestion,
        .runStatus, .runStopped, .runUsage, .transcriptMessage,
    ]

    package func receive(_ event: PublishedEvent) {
        let isHeld = state.withLock { state in
            state.held?.append(event)
            return state.held != nil
        }
        if !isHeld { take(event) }
    }

    package func end(_ end: SubscriptionEnd) {
        switch end {
        case .queueFull: client?.end(reason: "more events wait than are kept; connect again and load the session")
        case .revoked(let reason): client?.end(reason: reason)
        }
    }

    /// Takes in the session as it is by now, which may have changed since somebody looked, and before it was followed. Puts what
    /// the agent said lately, and the written part of its next message, before the events that came since.
    /// - Parameter isWhole: False if only what happens from now on is to be told.
    func hold(_ watch: RunWatch, isWhole: Bool) {
        state.withLock { state in
            let agentID = watch.session.agentID
            (state.agentID, state.phase, state.told) = (agentID, watch.session.phase, ACPSettings(watch.session))
            let said = isWhole ? watch.recent.map { RunEvent.message($0, agentID: agentID) } : []
            var written = watch.partial.map { RunEvent.delta($0, agentID: agentID) }
            if let call = watch.call { written.append(.call(call, agentID: agentID)) }
            let place =
                state.held?.firstIndex { $0.kind == .runDelta || $0.kind == .runCall } ?? state.held?.endIndex ?? 0
            state.held?.insert(contentsOf: written.map(event), at: place)
            state.held?.insert(contentsOf: said.map(event), at: 0)
        }
    }

    private func event(_ event: RunEvent) -> PublishedEvent {
        .live(LiveEvent(at: Timestamp(milliseconds: 0), sessionID: runID, body: .run(event)))
    }

    /// Sends what came meanwhile, and from now on each event at once.
    func begin() {
        while let events = state.withLock({ $0.nextHeld() }) {
            for event in events { take(event) }
        }
    }

    /// The editor is not told of it any more. Its prompts go on.
    func leave() async {
        parts.subscribers.remove(self)
        await parts.listener.clientLeft(id)
        let waiting = state.withLock { state in
            defer { state.prompts = [:] }
            return state.prompts.values
        }
        for case .waiting(let continuation) in waiting { continuation.resume(returning: .cancelled) }
        note(nil)
    }

    // MARK: Messages

    func update(_ update: JSONObject) {
        guard let params = spelling.update(update, of: sessionID) else { return }
        client?.notify("session/update", params)
    }

    /// Returns once the update was handed to the kernel, or the connection has ended.
    func deliver(_ update: JSONObject) async {
        guard let params = spelling.update(update, of: sessionID) else { return }
        await client?.deliver("session/update", params)
    }

    /// The id for a call of the editor; `nil` if it has gone.
    func callID() -> String? { client?.callID() }

    var showsForms: Bool { client?.showsForms == true }

    func ask(_ method: String, _ params: JSON, as call: String, _ answered: @escaping @Sendable (JSON?) -> Void) {
        client?.ask(method, params, as: call) { response in
            answered(try? response.outcome.get())
        }
    }

    func takeBack(_ call: String) { client?.takeBack(call) }

    /// Sends an update as it is.
    func send(_ params: JSON) { client?.notify("session/update", params) }
}

extension ACPSession.State {
    /// Returns the events that were held; `nil`, and holds none from now on, where there are no more.
    fileprivate mutating func nextHeld() -> [PublishedEvent]? {
        guard let events = held, !events.isEmpty else {
            held = nil
            return nil
        }
        held = []
        return events
    }
}
