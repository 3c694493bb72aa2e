import Core
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

/// This machine's own sessions, as the daemon reports them.
@Suite(.timeLimit(.minutes(1))) struct OwnSessionReportTests {
    private let store = RememberedReports()
    private let clock = ManualClock()
    private let own: OwnSessionReports

    init() {
        let manager = ReportManager(store: store, clock: clock)
        let machine = ReportingMachine(id: "new", name: "desk", platform: "linux")
        own = OwnSessionReports(manager, machine: machine, log: NoLog())
    }

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_170_600_000 + seconds * 1000)
    }

    private static func request(_ id: String, call: String, isUnverified: Bool = false) -> PermissionRequest {
        PermissionRequest(
            id: id, toolUseID: call, sessionID: "s1", event: .preToolUse, tool: .claude("Bash"),
            input: KeptJSON(["command": "touch x"]), cwd: "/p", createdAt: moment(0), deadline: moment(60),
            isUnverified: isUnverified)
    }

    private func tell(_ body: EventBody) {
        own.heard(.record(EventRecord(sequence: 1, at: Self.moment(1), sessionID: "s1", body: body)))
    }

    private func end(_ request: PermissionRequest) {
        let resolution = Resolution(decision: .allow, resolver: .local, reason: "", at: Self.moment(1))
        tell(.permissionResolved(request, resolution, corrects: false))
    }

    /// In a few words each: the event, the state behind it, and the notification.
    private func told() async -> [String] {
        own.begin()
        await own.end()
        return store.taken.withLock { $0 }.map { received in
            let status = ReportedStatus(after: received.report)?.rawValue ?? "-"
            return "\(received.report.name) \(status) \(received.notice?.kind.rawValue ?? "-")"
        }
    }

    @Test func oneDialogIsOneNotification() async {
        let (first, again) = (Self.request("r1", call: "t1"), Self.request("r2", call: "t1"))
        tell(.permission(first))
        end(first)
        tell(.permission(again))
        end(again)
        #expect(
            await told() == [
                "PermissionRequest waiting_for_permission permission_prompt", "PermissionResolved active -",
                "Notification waiting_for_permission -", "PermissionResolved active -",
            ])
    }

    @Test func aSessionWaitsAsLongAsOneOfItsQuestions() async {
        let (first, second) = (Self.request("r1", call: "t1"), Self.request("r2", call: "t2"))
        for request in [first, second] { tell(.permission(request)) }
        for request in [first, second] { end(request) }
        let asked = "PermissionRequest waiting_for_permission permission_prompt"
        #expect(await told() == [asked, asked, "PermissionResolved active -"])
    }

    @Test func theRestOfASession() async {
        tell(.permission(Self.request("r9", call: "t9", isUnverified: true)))
        tell(.agentRefused(method: "permission/respond", pid: 7))
        tell(.sessionEnd(sessionID: "s1", cwd: "/p", reason: "other"))
        #expect(await told() == ["SessionEnd ended -"])
        let first = store.taken.withLock { $0.first }
        #expect(first?.reporter == "" && first?.report.machine.id == "kept" && first?.report.machine.name == "desk")
        #expect(first?.report.cwd == "/p" && first?.report.timestamp == Self.moment(1).rfc3339WithMilliseconds)
    }

    /// A database that hangs holds no hook: the oldest reports are dropped.
    @Test func aQueueHasAnEnd() async {
        for _ in 0..<1500 { tell(.sessionEnd(sessionID: "s1", cwd: "/p", reason: "other")) }
        #expect(await told().count == 1000)
    }
}

/// A database that only remembers what it was given.
final class RememberedReports: ReportStore {
    let taken = Locked<[ReceivedReport]>([])
    let acknowledged = Locked<[String]>([])
    let tokens = Locked<[String]>([])
    let answer = Locked(ReportTaking.done)

    func take(_ report: ReceivedReport) async throws -> ReportTaking {
        taken.withLock { $0.append(report) }
        return answer.withLock { $0 }
    }

    func ownMachineID() async throws -> String? { "kept" }
    func reportVersions() async throws -> ReportVersions { ReportVersions(events: 0, notices: 0) }
    func reportedMachines() async throws -> [ReportedMachine] { [] }
    func reportedSessions(_ query: ReportedSessionQuery) async throws -> [ReportedSession] { [] }
    func reportedEvents(sessionID: String, limit: Int) async throws -> [ReportedEvent] { [] }
    func reportNotices(after place: ReportNoticePlace?, limit: Int) async throws -> [KeptReportNotice] { [] }
    func acknowledgeReportNotices(_ ids: [String]) async throws { acknowledged.withLock { $0 += ids } }
    func reportNotice(id: String) async throws -> KeptReportNotice? { nil }
    func keep(_ registration: KeptRegistration) async throws {
        tokens.withLock { $0.append(registration.registration.token) }
    }
}
