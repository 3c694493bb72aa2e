import Core
import Dialects
import OrderedJSON
import Platform
import Services
import TestSupport
import Wire

/// The routes of this dialect on services in memory.
struct ChatStage {
    let clock = ManualClock()
    let runs = FakeRuns()
    let workspaces = FakeWorkspaces()
    let subscribers: Subscribers<ChatListener>
    let table: RouteTable
    private let polls: EventPolls

    static let driver = Sender(
        caller: Caller(identity: .device(id: "d_1", name: "chat"), rights: .driver), address: "203.0.113.9",
        isLocal: false, connection: 3)

    /// - Parameters:
    ///   - isOld: True for a daemon that has run for hours.
    ///   - completions: Those that answer errands; `nil` for none.
    init(isOld: Bool = true, completions: (any PlainCompletions)? = nil) {
        polls = EventPolls(clock: clock, changed: ChangeSignal())
        subscribers = Subscribers(polls: polls, threads: NoThreads()) { ChatEvent($0) }
        let register = DeviceRegister(
            [device(level: .drive)], store: FakeStore(), source: FakeSecrets(), clock: clock)
        let services = OpenAIServices(
            runs: runs, workspaces: workspaces, subscribers: subscribers, devices: register,
            rates: DeviceRates(clock: clock), clock: clock, log: NoLog(), sha256: Self.digest,
            base: { "https://me.example" }, completions: completions)
        table = RouteTable(OpenAIRoutes(services: services).routes)
        if isOld { clock.jump(by: 10_000) }
        workspaces.state.withLock { $0.views = [WorkspaceView(workspace: Self.workspace("ws-1", "proj"))] }
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let sum = bytes.reduce(UInt64(7)) { $0 &* 1_099_511_628_211 ^ UInt64($1) }
        return (0..<32).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 % 8 * 8)) }
    }

    static func workspace(_ id: String, _ name: String) -> Workspace {
        Workspace(id: id, name: name, path: "/\(name)", origin: .added, createdAt: moment(0), lastActive: moment(9))
    }

    /// What the agent does with each prompt.
    func agent(_ body: @escaping @Sendable (_ prompt: String, _ tell: @escaping @Sendable (RunEvent) -> Void) -> Void) {
        runs.sent.withLock { sent in
            sent = { [subscribers] prompt, session in
                body(prompt.id) { event in
                    subscribers.heard(
                        .live(LiveEvent(at: moment(1), workspaceID: "ws-1", sessionID: session, body: .run(event))))
                }
            }
        }
    }

    /// An agent that says these pieces at once, and is done.
    func says(_ pieces: String..., end: TurnEnd = .done()) {
        agent { prompt, tell in
            for piece in pieces { tell(.text(piece)) }
            tell(.turnEnd(end, agentID: "a1"))
            tell(.promptEnd(prompt, .completed, agentID: "a1"))
        }
    }

    func ask(
        _ method: String, _ path: String, _ body: JSON? = nil, from sender: Sender = driver, headers: HTTPHeaders = [:],
        via pending: Pending = Pending()
    ) async -> HTTPResponse {
        var headers = headers
        if method == "POST" { headers.append("Content-Type", "application/json") }
        let request = HTTPRequest(method: method, target: path, headers: headers, body: body?.serializedBytes() ?? [])
        return await table.ask(request, from: sender, via: pending)
    }

    /// A request that waits; `tell` passes an event of its agent on.
    func waiting(
        _ ask: @escaping @Sendable (ChatStage) async -> HTTPResponse
    ) async throws -> (answer: Task<HTTPResponse, Never>, tell: @Sendable (RunEvent) -> Void, prompt: String) {
        let begun = Events<(String, @Sendable (RunEvent) -> Void)>()
        agent { prompt, tell in begun.add((prompt, tell)) }
        let answer = Task { await ask(self) }
        let (prompt, tell) = try await begun.next()
        return (answer, tell, prompt)
    }

    func pass(_ seconds: Double) async throws {
        while !clock.isSet(in: seconds) { try await letOthersRun() }
        clock.advance(by: seconds)
    }

    func complete(
        _ more: JSONObject = [:], text: String = "go", from sender: Sender = driver, headers: HTTPHeaders = [:],
        via pending: Pending = Pending()
    ) async -> HTTPResponse {
        var body: JSONObject = ["messages": [["role": "user", "content": .string(text)]]]
        for (name, value) in more { body[name] = value }
        return await ask(
            "POST", "/v1/chat/completions", .object(body), from: sender, headers: headers, via: pending)
    }
}

/// The model of a daemon that answers errands.
final class ScriptedCompletions: PlainCompletions {
    let asked = Locked<[String]>([])
    private let answer: Result<TurnEnd, ChildFailure>

    init(_ answer: Result<TurnEnd, ChildFailure>) {
        self.answer = answer
    }

    func complete(_ prompt: String, model: String?) throws(ChildFailure) -> TurnEnd {
        asked.withLock { $0.append("\(model ?? "-"): \(prompt)") }
        return try answer.get()
    }
}

extension TurnEnd {
    static func done(
        _ reason: String = "completed", isError: Bool = false, text: String = "", cost: Double? = 0.5
    ) -> TurnEnd {
        TurnEnd(
            reason: reason, isError: isError, text: text, cost: cost, tokens: TokenUse(input: 40, output: 2))
    }
}

extension RunEvent {
    static func text(_ text: String) -> RunEvent { .delta(ChildDelta(kind: .text, text: text), agentID: "a1") }

    /// The session works, or asks something.
    static func works(isAsking: Bool = false) -> RunEvent {
        let request = OpenChildRequest(
            id: "q", kind: .permission, place: SpoolPlace(offset: 0, length: 1), directory: "/p", isAsked: true)
        return .changed(.made("s_1", isBusy: true, requests: isAsking ? [request] : []))
    }
}

extension HTTPResponse {
    /// The events of a stream, without its comments.
    var frames: [JSON?] {
        text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { line in
            try? JSON(parsing: Array(line.dropFirst(6).utf8))
        }
    }

    var content: String? { json?["choices"]?.arrayValue?.first?["message"]?["content"]?.stringValue }
    var code: String? { json?["error"]?["code"]?.stringValue }
    var param: String? { json?["error"]?["param"]?.stringValue }
}
