import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// A daemon that answers what the test gave it and remembers what it was asked.
actor FakeDaemon: AccessService, DeviceService, HistoryService, NoticeService, PairingService, PermissionService,
    PollService, PreviewService, SessionService
{
    struct Broken: Error {}

    nonisolated let viewers = SessionViewers(clock: ManualClock()) { _ in }
    nonisolated let workspaces = FakeWorkspaces()
    var open: [PermissionRequest] = []
    var results: [Result<PermissionReceipt, ResponseFailure>] = []
    var ruleList: [SessionRule] = []
    var views: [SessionView] = []
    var page = EventPage(events: [], nextSequence: 0)
    var pageAfterWait: EventPage?
    var outcome = PollOutcome.event
    private(set) var waits: [String] = []
    var preview = PreviewOutcome.unknown
    /// What concerned notifications, in a few words each.
    var told: [String] = []
    var found = HistoryPage(entries: [], next: nil)
    var isStoreBroken = false
    var isHistoryBusy = false
    private(set) var responses: [PermissionResponse] = []
    private(set) var queries: [HistoryQuery] = []
    private(set) var refusals: [String] = []

    func set(_ change: @Sendable (isolated FakeDaemon) -> Void) { change(self) }

    nonisolated func permit(of caller: Caller) -> CallPermit? { nil }

    func refused(_ caller: Caller, method: String) { refusals.append(method) }

    func history(_ query: HistoryQuery, by caller: Caller) throws -> HistoryPage {
        queries.append(query)
        if isHistoryBusy { throw HistoryBusy(waiting: 8) }
        if isStoreBroken { throw Broken() }
        return found
    }

    func events(from sequence: Int64, limit: Int, maxBytes: Int) throws -> EventPage {
        if isStoreBroken { throw Broken() }
        return page
    }

    func waitForEvent(from sequence: Int64, seconds: Int, by caller: Caller, isApprover: Bool) -> PollOutcome {
        waits.append("\(sequence) \(seconds) \(isApprover)")
        page = pageAfterWait ?? page
        isRevoked = isRevoked || isRevokedWhileWaiting
        return outcome
    }

    func preview(requestID: String) -> PreviewOutcome { preview }

    func pending(sessionID: String?) -> [PermissionRequest] {
        open.filter { sessionID == nil || $0.sessionID == sessionID }
    }

    func request(id: String) -> PermissionRequest? { open.first { $0.id == id } }

    func respond(
        _ responses: [PermissionResponse], by caller: Caller
    ) -> [Result<PermissionReceipt, ResponseFailure>] {
        self.responses += responses
        return results
    }

    func revokeRule(id: String) throws(RevocationFailure) -> SessionRule {
        guard let rule = ruleList.first(where: { $0.id == id }) else { throw .unknown(id: id) }
        if isStoreBroken { throw .unwritten(rule) }
        return rule
    }

    func rules(sessionID: String?) -> [SessionRule] { ruleList }

    func setGate(_ gate: Policy.Gate?, sessionID: String) throws(GateFailure) -> Policy.Gate {
        guard views.contains(where: { $0.session.id == sessionID }) else { throw .unknown(id: sessionID) }
        if isStoreBroken { throw .unwritten }
        return gate ?? .auto
    }

    func sessions() -> [SessionView] { views }

    func stats() -> BrokerStats {
        var stats = BrokerStats()
        stats.pending = open.count
        stats.approvers = 1
        return stats
    }

    func status() -> DaemonStatus {
        var status = DaemonStatus(
            version: "9.9", pid: 42, startedAt: instant(0), now: instant(75), home: "/h", socket: "/h/cdev.sock",
            address: "127.0.0.1:8766", log: "/h/server.log", stats: stats(), gate: .toolCall,
            hooks: ["state": "installed"])
        status.reach = [
            "base_url": "http://127.0.0.1:8766", "beyond_loopback": false, "insecure": false, "public_url": .null,
            "tls": ["mode": "off"],
        ]
        return status
    }

    var devicesKept: [Device] = []
    var isRevoked = false
    var isRevokedWhileWaiting = false
    private(set) var settlements: [String] = []

    func admits(_ caller: Caller) -> Bool { !isRevoked }

    func createToken(
        name: String, level: AccessLevel, form: TokenForm
    ) throws(DeviceFailure) -> (token: String, device: Device) {
        if devicesKept.contains(where: { $0.name == name }) { throw .taken(name: name) }
        let device = device("d_\(devicesKept.count + 1)", name: name, level: level)
        devicesKept.append(device)
        return ("cdev_s_secret", device)
    }

    func devices() -> [DeviceView] { devicesKept.map { DeviceView(device: $0, isConnected: $0.id == "d_1") } }

    func revoke(_ selector: DeviceSelector, reason: String) throws(DeviceFailure) -> DeviceRevocation {
        let index = devicesKept.firstIndex { selector == .id($0.id) || selector == .name($0.name) }
        guard let index else { throw .unknown("\(selector)") }
        return DeviceRevocation(device: devicesKept.remove(at: index), rules: ruleList)
    }

    private var book = PairingBook()

    func start(name: String?, level: AccessLevel) throws(DeviceFailure) -> PairingInvitation {
        if name == "" { throw .invalidName("no name") }
        let offer = book.offer(id: "pair_1", token: [1], code: [2], name: name, level: level, at: instant(0))
        return PairingInvitation(offer: offer, token: "cdev_p_x", code: "abcd-efgh", url: "http://h/#pair=cdev_p_x")
    }

    func pending() -> (offers: [PairingOffer], requests: [PairingRequest]) {
        (book.recentOffers(at: instant(1)), book.waiting(at: instant(1)))
    }

    func settle(_ id: String, approved: Bool) -> PairingSettlement? {
        settlements.append("\(id) \(approved)")
        return id == "pair_1" && !approved ? .cancelled : nil
    }
}

func device(_ id: String = "d_1", name: String = "phone", level: AccessLevel = .approve) -> Device {
    Device(id: id, name: name, rights: level.rights, createdAt: moment(0), credential: .token(hash: []))
}

actor FakeClient: RPCClient {
    nonisolated let caller: Caller
    nonisolated let id = "client-1"
    nonisolated let isFramed: Bool
    /// Nil for a client of single HTTP requests.
    nonisolated let subscriptions: WorkspaceSubscriptions?
    private(set) var introductions: [ClientIntroduction] = []

    init(
        rights: Set<Right> = .owner, as identity: Caller.Identity = .local(pid: 7), isFramed: Bool = true
    ) {
        caller = Caller(identity: identity, rights: rights)
        self.isFramed = isFramed
        subscriptions = isFramed ? WorkspaceSubscriptions() : nil
    }

    func introduce(_ introduction: ClientIntroduction) { introductions.append(introduction) }
}

/// 2026-11-20T10:30:00Z and so many seconds.
func moment(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: 1_795_170_600_000) + seconds
}

/// The same, of a machine started an hour before.
func instant(_ seconds: Double) -> Instant {
    Instant(wall: moment(seconds), uptime: Uptime(milliseconds: 3_600_000) + seconds)
}

func heldRequest(
    _ id: String = "r_1", tool: String = "Bash", input: JSON = ["command": "npm test"], session: String = "s1",
    patterns: [String] = []
) -> PermissionRequest {
    PermissionRequest(
        id: id, toolUseID: "toolu_1", sessionID: session, event: .preToolUse, tool: .claude(tool),
        input: KeptJSON(input),
        cwd: "/p", patterns: patterns, createdAt: moment(0), deadline: moment(60))
}

func services(
    _ daemon: FakeDaemon = FakeDaemon(), _ transcripts: FakeTranscripts = FakeTranscripts()
) -> MethodServices {
    MethodServices(
        access: daemon, devices: daemon, files: FakeFiles(),
        git: GitManager(workspaces: NamedWorkspaces([:]), runner: NoGit(), files: NoGit()), history: daemon,
        notices: daemon,
        pairing: daemon, permissions: daemon, polls: daemon, previews: daemon, reports: FakeReports(),
        runSessions: NoRunSessions(),
        sessions: daemon,
        transcripts: transcripts, viewers: daemon.viewers, workspaces: daemon.workspaces)
}

func dispatcher(_ daemon: FakeDaemon, mostAnswered: Int = .max) -> Dispatcher {
    Dispatcher(services: services(daemon), mostAnswered: mostAnswered)
}

/// What a client gets for `text`, as JSON; nil where nothing is answered.
/// Each result is compared with the schema of its method, but for events, which tests make up.
func answer(
    _ text: String, _ daemon: FakeDaemon, _ client: FakeClient = FakeClient(),
    at place: SourceLocation = #_sourceLocation
) async throws -> JSON? {
    let payload = JSONRPC.decode(Array(text.utf8))
    let bytes = await dispatcher(daemon).reply(to: payload, from: client)
    let reply = try bytes.map { try JSON(parsing: $0) }
    if let result = reply?["result"], case .call(let message)? = payload.entries.first,
        message.method != "events/since",
        let method = MethodTable(services(daemon))[message.method]
    {
        #expect(SchemaCheck.complaints(about: result, method.result) == [], "\(method.name)", sourceLocation: place)
    }
    return reply
}

func call(_ method: String, _ params: JSON = [:], id: Int = 1) -> String {
    JSON.object([
        "jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": .string(method), "params": params,
    ]).serialized()
}

func batch(of call: String, _ count: Int) -> String {
    "[" + Array(repeating: call, count: count).joined(separator: ",") + "]"
}

struct NoRunSessions: RunSessionService {
    func start(_ order: RunSessionOrder) throws(RunSessionFailure) -> RunSession {
        throw .noWorkspace(id: order.workspaceID)
    }

    func send(_ prompt: SessionPrompt, to session: String) throws(RunSessionFailure) -> PromptReceipt {
        throw unknown(session)
    }

    func interrupt(_ session: String, cancelsQueued: Bool) throws(RunSessionFailure) { throw unknown(session) }
    func cancel(_ prompt: String, of session: String) throws(RunSessionFailure) -> Bool { throw unknown(session) }
    func confirm(_ session: String) throws(RunSessionFailure) { throw unknown(session) }
    func catchUp(with session: String) -> Bool { true }
    func check() -> AgentCheck? { nil }
    func lend(_ session: String, to pid: Int32) throws(RunSessionFailure) -> RunSession { throw unknown(session) }
    func hasAskedLately(_ session: String) -> Bool { false }
    func leave(workspace: String) throws(RunSessionFailure) {}
    func lastTurn(of session: String) -> TurnEnd? { nil }
    func totals(of session: String) -> RunTotals { RunTotals() }
    func offer(of session: String?) -> AgentOffer { AgentOffer() }
    func set(_ settings: RunSettings, of session: String) throws(RunSessionFailure) { throw unknown(session) }
    func toolServers(of session: String) throws(RunSessionFailure) -> [ToolServerStatus] { throw unknown(session) }
    func stop(_ session: String) throws(RunSessionFailure) { throw unknown(session) }
    func session(_ id: String) throws(RunSessionFailure) -> RunSession { throw unknown(id) }
    func active(in workspace: String?) -> [RunSession] { [] }

    func watch(_ session: String, hasLog: Bool, client: String) throws(RunSessionFailure) -> RunWatch {
        throw unknown(session)
    }

    func unwatch(client: String) -> String? { nil }

    private func unknown(_ session: String) -> RunSessionFailure { .refused(.unknownSession, session: session) }
}
