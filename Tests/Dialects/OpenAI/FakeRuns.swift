import Core
import Platform
import Services

/// Sessions in memory; an agent whose words the test writes.
final class FakeRuns: RunSessionService {
    struct State {
        var sessions: [String: RunSession] = [:]
        var orders: [RunSessionOrder] = []
        var prompts: [SessionPrompt] = []
        var calls: [String] = []
        var failure: RunSessionFailure?
        var isTakenBack = false
        var models: [AgentOffer.Model] = []
        var messages = 2
        var servers: [String: [ToolServerStatus]] = [:]
    }

    let state = Locked(State())
    /// Called with each prompt, once it is taken.
    let sent = Locked<@Sendable (SessionPrompt, String) -> Void>({ _, _ in })

    var calls: [String] { state.withLock { $0.calls } }
    var prompts: [SessionPrompt] { state.withLock { $0.prompts } }

    private func note(_ call: String) throws(RunSessionFailure) {
        let failure = state.withLock { state in
            state.calls.append(call)
            return state.failure
        }
        if let failure { throw failure }
    }

    func start(_ order: RunSessionOrder) throws(RunSessionFailure) -> RunSession {
        try note("start \(order.workspaceID)")
        let session = state.withLock { state in
            state.orders.append(order)
            let id = "s_\(state.sessions.count + 1)"
            let session = RunSession.made(
                id, in: order.workspaceID, agentID: order.conversation ?? "a-\(id)", model: order.model,
                title: order.title)
            state.sessions[id] = session
            return session
        }
        return session
    }

    func send(_ prompt: SessionPrompt, to session: String) throws(RunSessionFailure) -> PromptReceipt {
        try note("send \(session)")
        state.withLock { $0.prompts.append(prompt) }
        sent.withLock { $0 }(prompt, session)
        return .sent
    }

    func interrupt(_ session: String, cancelsQueued: Bool) throws(RunSessionFailure) {
        _ = try self.session(session)
        try note("interrupt \(session) \(cancelsQueued)")
    }

    func cancel(_ prompt: String, of session: String) throws(RunSessionFailure) -> Bool {
        try note("cancel \(session)")
        return state.withLock { $0.isTakenBack }
    }

    func confirm(_ session: String) throws(RunSessionFailure) { try note("confirm \(session)") }

    func session(_ id: String) throws(RunSessionFailure) -> RunSession {
        let found = state.withLock { state in
            state.sessions[id] ?? state.sessions.values.first { $0.agentID == id }
        }
        guard let found else { throw .refused(.unknownSession, session: id) }
        return found
    }

    func stop(_ session: String) throws(RunSessionFailure) {
        _ = try self.session(session)
        try note("stop \(session)")
    }

    func watch(_ session: String, hasLog: Bool, client: String) throws(RunSessionFailure) -> RunWatch {
        RunWatch(session: try self.session(session), partial: [])
    }

    func leave(workspace: String) throws(RunSessionFailure) { try note("leave \(workspace)") }
    func unwatch(client: String) -> String? { nil }
    func check() -> AgentCheck? { nil }
    func hasAskedLately(_ session: String) -> Bool { false }
    func lend(_ session: String, to pid: Int32) throws(RunSessionFailure) -> RunSession { try self.session(session) }
    func catchUp(with session: String) -> Bool { true }
    func lastTurn(of session: String) -> TurnEnd? { nil }
    func totals(of session: String) -> RunTotals { RunTotals(tokens: 7, messages: state.withLock { $0.messages }) }
    func offer(of session: String?) -> AgentOffer { AgentOffer(models: state.withLock { $0.models }) }
    func set(_ settings: RunSettings, of session: String) throws(RunSessionFailure) {}

    func toolServers(of session: String) throws(RunSessionFailure) -> [ToolServerStatus] {
        let session = try self.session(session)
        try note("servers \(session.id)")
        return state.withLock { $0.servers[session.id] ?? [] }
    }

    func active(in workspace: String?) -> [RunSession] {
        state.withLock { state in
            state.sessions.values.filter { workspace == nil || $0.workspaceID == workspace }.sorted { $0.id < $1.id }
        }
    }
}

extension RunSession {
    static func made(
        _ id: String, in workspace: String = "ws-1", agentID: String = "a1", model: String? = nil, title: String? = nil,
        isBusy: Bool = false, hasConversation: Bool = false, requests: [OpenChildRequest] = [],
        life: RunLife = .ready, prompts: [SessionPrompt] = []
    ) -> RunSession {
        RunSession(
            id: id, workspaceID: workspace, directory: "/p", startedAt: moment(0), agentID: agentID, mode: .default,
            model: model, title: title, life: life, run: 1, hasConversation: hasConversation, isBusy: isBusy,
            prompts: prompts, requests: requests, clocks: RunClocks(lastActivity: moment(5)))
    }
}
