import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// The requests of the app and of `claudiator-hook`, and what they are answered.
@Suite struct ClaudiatorRouteTests {
    private let clock = ManualClock()
    private let reports = FakeReports()
    private let table: RouteTable

    init() {
        let services = ClaudiatorServices(
            reports: reports, devices: FakeDaemon(), rates: DeviceRates(clock: clock), clock: clock)
        table = RouteTable(ClaudiatorRoutes(services: services).routes)
    }

    private static func sender(_ level: AccessLevel) -> Sender {
        Sender(
            caller: Caller(identity: .device(id: "d_1", name: "phone"), rights: level.rights), address: "203.0.113.9",
            isLocal: false, connection: 3)
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", as level: AccessLevel = .approve,
        headers: HTTPHeaders = [:]
    ) async -> HTTPResponse {
        await table.ask(method, path, body, from: Self.sender(level), headers: headers)
    }

    /// Byte for byte what the hook sends.
    static let event = """
        {"device":{"device_id":"550e8400","device_name":"box","platform":"linux"},"event":{"session_id":"s1",\
        "hook_event_name":"Notification","cwd":"/tmp","notification_type":"permission_prompt","message":"Claude needs"},\
        "timestamp":"2026-11-22T07:18:04.875Z"}
        """

    private static let report = SessionReport(
        machine: ReportingMachine(id: "550e8400", name: "box", platform: "linux"), sessionID: "s1",
        name: "Notification", timestamp: "2026-11-22T07:18:04.875Z", cwd: "/tmp", message: "Claude needs",
        notificationType: "permission_prompt")

    @Test(arguments: ["/api/v1", "/claudiator/api/v1"]) func anEventOfTheHook(base: String) async {
        let answer = await ask("POST", "\(base)/events", Self.event)
        #expect(answer.status == .ok && answer.text == #"{"status":"ok"}"#)
        #expect(reports.state.withLock { $0.taken } == [Self.report])
        let ping = await ask("GET", "\(base)/ping")
        #expect(
            ping.text
                == #"{"status":"ok","server_version":"\#(Version.text)","data_version":12,"notification_version":3}"#)
    }

    @Test(arguments: [
        ("X-Claudiator-Device-Id", "X-Claudiator-Device-Name", "X-Claudiator-Platform"),
        ("X-Device-Id", "X-Device-Name", "X-Device-Platform"),
    ])
    func aHookOfAnAgent(id: String, name: String, platform: String) async {
        let body = #"{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"fix it","tool_input":{"a":1}}"#
        var headers: HTTPHeaders = [:]
        for (header, value) in [(id, " m1 "), (name, "box"), (platform, "mac")] { headers.append(header, value) }
        #expect(await ask("POST", "/api/v1/hooks/http", body, headers: headers).status == .ok)
        let expected = SessionReport(
            machine: ReportingMachine(id: "m1", name: "box", platform: "mac"), sessionID: "s1",
            name: "UserPromptSubmit", timestamp: "2026-11-20T10:30:00.000Z", prompt: "fix it")
        #expect(reports.state.withLock { $0.taken } == [expected])
    }

    @Test(
        arguments: [
            ([], "Device id header is required (X-Claudiator-Device-Id or X-Device-Id)"),
            (
                [("X-Device-Id", "m1"), ("X-Device-Name", " ")],
                "Device name header is required (X-Claudiator-Device-Name or X-Device-Name)"
            ),
            (
                [("X-Device-Id", "m1"), ("X-Device-Name", "box")],
                "Platform header is required (X-Claudiator-Platform or X-Device-Platform)"
            ),
        ] as [([(String, String)], String)])
    func aHookWithoutItsMachine(fields: [(String, String)], message: String) async {
        var headers: HTTPHeaders = [:]
        for (name, value) in fields { headers.append(name, value) }
        let answer = await ask(
            "POST", "/api/v1/hooks/http", #"{"session_id":"s1","hook_event_name":"Stop"}"#, headers: headers)
        #expect(answer.status.code == 422 && answer.json?["message"]?.stringValue == message)
    }

    @Test(arguments: [
        ("/events", "", 400, "the body is no JSON"), ("/events", "{", 400, "the body is no JSON"),
        ("/events", "[]", 422, "send a JSON object"), ("/events", "{}", 422, "device must be an object"),
        ("/events", #"{"device":{"device_id":""}}"#, 422, "device_id is required"),
        ("/events", #"{"device":{"device_id":"m"}}"#, 422, "device.device_name is required"),
        ("/events", #"{"device":{"device_id":7}}"#, 422, "device.device_id must be a string"),
        ("/notifications/ack", "{}", 422, "ids is required"),
        ("/notifications/ack", #"{"ids":"n1"}"#, 422, "ids must be a list of at most 1000 strings"),
        ("/notifications/ack", #"{"ids":[1]}"#, 422, "ids must be a list of at most 1000 strings"),
        ("/push/register", #"{"platform":"","push_token":""}"#, 422, "platform is required"),
        ("/push/register", #"{"platform":"ios","push_token":""}"#, 422, "push_token is required"),
        ("/push/register", #"{"platform":"ios","push_token":"aa","sandbox":1}"#, 422, "sandbox must be true or false"),
    ])
    func aBodyThatCannotBeRead(path: String, body: String, status: Int, message: String) async {
        let answer = await ask("POST", "/api/v1\(path)", body)
        #expect(answer.status.code == status)
        #expect(answer.json == ["error": "bad_request", "message": .string(message)])
        #expect(reports.state.withLock { $0.taken.isEmpty && $0.calls.isEmpty })
    }

    @Test(arguments: [
        (#""session_id":"s1""#, #""session_id":"""#, "session_id is required"),
        (#""hook_event_name":"Notification""#, #""hook_event_name":"""#, "hook_event_name is required"),
        (#""cwd":"/tmp""#, #""cwd":7"#, "event.cwd must be a string"),
        ("2026-11-22T07:18:04.875Z", "yesterday", "timestamp must be valid RFC 3339"),
        ("2026-11-22T07:18:04.875Z", "", "timestamp must be valid RFC 3339"),
    ])
    func aMemberThatIsWrong(good: String, bad: String, message: String) async {
        let answer = await ask("POST", "/api/v1/events", Self.event.replacing(good, with: bad))
        #expect(answer.status.code == 422 && answer.json?["message"]?.stringValue == message)
    }

    // MARK: Lists

    @Test func listsHaveTheirMembers() async throws {
        let (begin, end) = (Timestamp(milliseconds: 1_795_170_600_000), Timestamp(milliseconds: 1_795_170_600_250))
        let machine = ReportingMachine(id: "m1", name: "box", platform: "linux")
        reports.state.withLock { state in
            state.machines = [ReportedMachine(machine: machine, firstSeen: begin, lastSeen: end, openSessions: 2)]
            state.sessions = [
                ReportedSession(
                    id: "s1", machine: machine, startedAt: begin, lastEvent: end, status: .waitingForInput, cwd: nil,
                    title: nil),
                ReportedSession(
                    id: "s2", machine: machine, startedAt: begin, lastEvent: end, status: .ended, cwd: "/p",
                    title: "fix"),
            ]
            state.events = [
                ReportedEvent(
                    number: 17, name: "Stop", timestamp: "as sent", toolName: nil, notificationType: nil, message: nil)
            ]
            state.notices = [
                KeptReportNotice(
                    id: "n1", eventNumber: 17, sessionID: "s1", machineID: "m1", kind: .stop, title: "t", body: "b",
                    createdAt: end, isAcknowledged: false)
            ]
        }
        let (first, last) = ("2026-11-20T10:30:00.000Z", "2026-11-20T10:30:00.250Z")
        #expect(
            await ask("GET", "/api/v1/devices").text
                == #"{"devices":[{"device_id":"m1","device_name":"box","platform":"linux","first_seen":"\#(first)","#
                + #""last_seen":"\#(last)","active_sessions":2}]}"#)
        let row =
            #"{"session_id":"s1","device_id":"m1","started_at":"\#(first)","last_event":"\#(last)","#
            + #""status":"waiting_for_input","cwd":null,"device_name":"box","platform":"linux"}"#
        #expect(
            await ask("GET", "/api/v1/sessions?limit=1").text
                == #"{"sessions":[\#(row)],"has_more":true,"next_offset":1}"#)
        let rest = await ask("GET", "/api/v1/sessions?limit=1&offset=1").json
        #expect(rest?["has_more"] == false && rest?["next_offset"] == 2)
        #expect(rest?["sessions"]?.arrayValue?.first?["title"] == "fix")
        let ofOne = await ask("GET", "/api/v1/devices/m1/sessions?limit=1").json
        #expect(ofOne?["has_more"] == false && ofOne?["next_offset"] == 0)
        #expect(
            await ask("GET", "/api/v1/sessions/s1/events").text
                == #"{"events":[{"id":17,"hook_event_name":"Stop","timestamp":"as sent","tool_name":null,"#
                + #""notification_type":null,"message":null}]}"#)
        #expect(
            await ask("GET", "/api/v1/notifications").text
                == #"{"notifications":[{"id":"n1","event_id":17,"session_id":"s1","device_id":"m1","title":"t","#
                + #""body":"b","notification_type":"stop","created_at":"\#(last)","acknowledged":false}]}"#)
    }

    @Test(
        arguments: [
            ("/sessions", ReportedSessionQuery(limit: 51)),
            ("/sessions?limit=0&offset=-3", ReportedSessionQuery(limit: 2)),
            ("/sessions?limit=999&offset=7", ReportedSessionQuery(limit: 201, offset: 7)),
            ("/sessions?exclude_ended=true", ReportedSessionQuery(choice: .notEnded, limit: 51)),
            ("/sessions?exclude_ended=false&status=idle", ReportedSessionQuery(choice: .status(.idle), limit: 51)),
            ("/sessions?status=asleep", nil), ("/sessions?status=ended&exclude_ended=true", nil),
            (
                "/devices/a%2Fb/sessions?status=ended&limit=3&offset=9&exclude_ended=true",
                ReportedSessionQuery(machineID: "a/b", choice: .status(.ended), limit: 4)
            ),
        ] as [(String, ReportedSessionQuery?)])
    func whatIsAskedOfSessions(path: String, query: ReportedSessionQuery?) async {
        let answer = await ask("GET", "/api/v1\(path)")
        #expect(answer.status == .ok && answer.json?["sessions"]?.arrayValue != nil)
        #expect(reports.state.withLock { $0.queries } == [query].compactMap(\.self))
    }

    @Test(arguments: [
        ("/sessions/s%201/events", "events s 1 100"), ("/sessions/s1/events?limit=5000", "events s1 1000"),
        ("/notifications", "notices all 50"), ("/notifications?limit=-1", "notices all 1"),
        (
            "/notifications?after=2026-11-20T10:30:00.250Z&limit=500",
            "notices \(ReportNoticePlace.time(Timestamp(milliseconds: 1_795_170_600_250))) 200"
        ), ("/notifications?after=0B6C", "notices \(ReportNoticePlace.id("0b6c")) 50"),
    ])
    func whatIsAskedOfEventsAndNotifications(path: String, call: String) async {
        #expect(await ask("GET", "/api/v1\(path)").status == .ok)
        #expect(reports.state.withLock { $0.calls } == [call])
    }

    @Test(arguments: [
        "/sessions?limit=x", "/sessions?offset=1.5", "/sessions?exclude_ended=1", "/notifications?limit=x",
    ])
    func aQueryThatCannotBeRead(path: String) async {
        let answer = await ask("GET", "/api/v1\(path)")
        #expect(answer.status == .badRequest && answer.json?["error"] == "bad_request")
    }

    @Test(arguments: [
        ("/notifications/ack", #"{"ids":["n1","n2"]}"#, "ack n1,n2"),
        ("/notifications/ack", #"{"notification_ids":["n1"]}"#, "ack n1"),
        ("/notifications/ack", #"{"ids":[]}"#, "ack "),
        ("/push/register", #"{"platform":"ios","push_token":"aa","sandbox":true}"#, "push aa ios true"),
        ("/push/register", #"{"platform":"android","push_token":"bb"}"#, "push bb android false"),
    ])
    func whatTheAppSends(path: String, body: String, call: String) async {
        // The app sends a request again when an answer is lost.
        for _ in 0..<2 { #expect(await ask("POST", "/api/v1\(path)", body).text == #"{"status":"ok"}"#) }
        #expect(reports.state.withLock { $0.calls } == [call, call])
    }

    // MARK: Refusals

    @Test(arguments: ["/events", "/hooks/http", "/notifications/ack", "/push/register"])
    func aViewerWritesNothing(path: String) async {
        let answer = await ask("POST", "/api/v1\(path)", Self.event, as: .view)
        #expect(answer.status == .forbidden)
        #expect(
            answer.text == #"{"error":"forbidden","message":"Insufficient permissions for this endpoint"}"#)
    }

    @Test func aViewerReads() async {
        for path in ["/ping", "/devices", "/sessions", "/notifications"] {
            #expect(await ask("GET", "/api/v1\(path)", as: .view).status == .ok)
        }
    }

    /// An agent may report, but acknowledges nothing for its user.
    @Test func aProcessInsideAnAgent() async {
        let agent = Sender(
            caller: Caller(identity: .local(pid: 7), rights: .agent), address: "local", isLocal: true, connection: 1)
        #expect(await table.ask("POST", "/api/v1/events", Self.event, from: agent).status == .ok)
        for path in ["/notifications/ack", "/push/register"] {
            #expect(await table.ask("POST", "/api/v1\(path)", "{}", from: agent).status == .forbidden)
        }
    }

    @Test(
        arguments: [
            (.forbidden, 403, "forbidden"), (.tooLong(member: "session_id", limit: 256), 422, "bad_request"),
            (.tooManyMachines(limit: 50), 422, "bad_request"), (.ofAnother(member: "device_id"), 403, "forbidden"),
            (.store("/home/me/.cdev is full"), 500, "internal_error"),
        ] as [(ReportFailure, Int, String)])
    func aServiceThatFails(failure: ReportFailure, status: Int, code: String) async {
        reports.state.withLock { $0.failure = failure }
        let answer = await ask("POST", "/api/v1/events", Self.event)
        #expect(answer.status.code == status && answer.json?["error"]?.stringValue == code)
        #expect(!answer.text.contains("/home"))
    }

    @Test func aRefusalOfTheRouterIsSpelledSo() throws {
        let request = HTTPRequest(method: "GET", target: "/api/v1/ping", headers: [:], body: [])
        let route = try table.route(for: request).get().route
        #expect(
            route.spelling(.error(.unauthorized, "who are you")).text
                == #"{"error":"unauthorized","message":"Invalid or missing API key"}"#)
        #expect(
            route.spelling(.error(.contentTooLarge, "too long")).text
                == #"{"error":"bad_request","message":"too long"}"#)
    }

    @Test func anEventOfTwoMegabytesIsTheLast() async {
        let long = Self.event.replacing("Claude needs", with: String(repeating: "x", count: 2 << 20))
        #expect(await ask("POST", "/api/v1/events", long).status == .contentTooLarge)
        #expect(reports.state.withLock { $0.taken.isEmpty })
    }
}
