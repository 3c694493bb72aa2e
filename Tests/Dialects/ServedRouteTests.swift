import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// The routes that all dialects give, with what they need made of values.
private struct Served {
    let clock = ManualClock()
    let devices: DeviceManager
    let pairing: PairingManager
    let routes: [Route]
    let table: RouteTable

    init() {
        let (store, source, connections, log) = (FakeStore(), FakeSecrets(), FakeConnections(), NoLog())
        let broker = Broker(clock: clock, store: store)
        let refusals = RefusalLog(log: log, clock: clock)
        let register = DeviceRegister([], store: store, source: source, clock: clock)
        devices = DeviceManager(
            register: register, store: store, broker: broker, connections: [connections], listeners: [], source: source,
            clock: clock, log: log)
        pairing = PairingManager(devices: devices, broker: broker, source: source, clock: clock, log: log) {
            "https://desk:8766"
        }
        let links = AnswerLinks(store: NoLinks(), links: [], grants: [:], source: source, clock: clock, log: log)
        let polls = EventPolls(clock: clock, changed: ChangeSignal())
        let subscribers = Subscribers<WebSocketClient>(polls: polls, threads: NoThreads()) {
            EventFrames(EventEncoder.encode($0))
        }
        let rates = DeviceRates(clock: clock)
        let clients = ClientServices(
            subscribers: subscribers, approvers: Approvers([subscribers], broker: broker), devices: register,
            viewers: SessionViewers(clock: clock) { _ in },
            rpc: RPCServices(dispatcher: Dispatcher(services: services()), rates: rates, log: log))
        let page = PageFiles(paths: ["/index.html", "/a.html"], load: { [] }, sha256: { $0 }, gzip: { _ in nil })
        routes = [
            PageRoutes(files: page, authority: nil, clock: clock).routes,
            AnswerLinkRoutes(
                links: AnswerLinkService(links: links, broker: broker), clock: clock, refusals: refusals
            ).routes,
            PairingRoutes(
                devices: devices, pairing: pairing, broker: broker, clock: clock, refusals: refusals,
                picture: { text, _ in Array(text.utf8) }
            ).routes,
            ClientRoutes(services: clients).routes,
            OpenAIRoutes(
                services: OpenAIServices(
                    runs: NoRunSessions(), workspaces: FakeWorkspaces(),
                    subscribers: Subscribers(polls: polls, threads: NoThreads()) { ChatEvent($0) }, devices: register,
                    rates: rates, clock: clock, log: log, sha256: { $0 }, base: { "" },
                    completions: nil)
            ).routes,
            ClaudiatorRoutes(
                services: ClaudiatorServices(
                    reports: FakeReports(), devices: devices, rates: rates, clock: clock)
            ).routes,
            HookRoutes(
                broker: broker, clock: clock, places: NoPlaces(), runs: RunProcesses(), log: log, sha256: { $0 },
                ancestor: { _, _ in nil },
                isDescendant: { _, _ in false }
            ).routes,
        ].flatMap(\.self)
        table = RouteTable(routes)
    }

    private struct NoThreads: EventThreads {
        func beside(weight: Int, _ body: @escaping @Sendable () -> Void) {}
        func onLoop(_ body: @escaping @Sendable () -> Void) {}
    }

    private struct NoLinks: AnswerLinkStore {
        func keep(_ link: AnswerLink) async throws {}
        func forgetAnswerLinks(_ hashes: [[UInt8]]) async throws {}
    }
}

@Suite struct ServedRouteTests {
    private let served = Served()

    @Test func noTwoTakeTheSameMethodAtOnePath() {
        let taken = served.routes.flatMap { route in route.verbs.map { "\($0) \(route.path)" } }
        #expect(Set(taken).count == taken.count && taken.count > 20)
    }

    /// What lets somebody in is the owner's, and so is nothing else; over the network a body has a ceiling before a
    /// handler sees it wherever nobody has to prove anything.
    @Test func whoMayIsReadInTheList() throws {
        let owners = served.routes.filter { $0.admission == .owner }.map { "\($0.path)" }
        #expect(
            owners.sorted()
                == ["\(Route.Path.below("/admin/api-keys/"))"]
                + [
                    "/admin/api-keys", "/admin/api-keys", "/api/auth/pairing/approve", "/api/auth/pairing/pending",
                    "/api/auth/pairing/reject", "/api/pair/qr", "/api/pair/refresh",
                ].map { "\(Route.Path.exact($0))" })
        for route in served.routes
        where [.anyone, .anyoneKnown, .anyoneOrDevice, .outsideAgents].contains(route.admission) {
            // An answer link counts a long body as a wrong secret.
            #expect(route.bodyLimit == 4096 || route.path == .exact("/a"), "\(route.path)")
        }
        #expect(served.routes.filter(\.holdsSecrets).count == 13)
    }

    /// Before anybody asks who sends it; no page reaches the socket.
    @Test(arguments: [
        "/api/v1/events", "/rpc", "/v1/chat/completions", "/v1/messages", "/v1/responses", "/v1/projects",
        "/v1/sessions", "/api/auth/exchange", "/api/auth/refresh", "/api/auth/revoke", "/api/pair/code",
    ])
    func aBodyThatPagesMaySendIsRefused(path: String) async {
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
            let headers: HTTPHeaders = ["Content-Type": type]
            #expect(await served.table.ask("POST", path, "{}", headers: headers).status == .unsupportedMediaType)
            let answer = await served.table.ask("POST", path, "{}", from: .owner, headers: headers)
            #expect(answer.status != .unsupportedMediaType)
        }
    }

    // MARK: Pairing

    private func token(_ offer: PairingInvitation) -> String {
        JSON.object(["pairing_token": .string(offer.token), "name": "phone", "platform": "test"]).serialized()
    }

    @Test func aTokenIsTradedOnceAndRefreshed() async throws {
        let offer = try await served.pairing.start(name: nil, level: .approve)
        let paired = await served.table.ask("POST", "/api/auth/exchange", token(offer))
        #expect(paired.status == .ok && paired.json?["device_name"] == "phone")
        #expect(await served.table.ask("POST", "/api/auth/exchange", token(offer)).status == .gone)
        let refresh = JSON.object(["refresh_token": paired.json?["refresh_token"] ?? ""]).serialized()
        let next = await served.table.ask("POST", "/api/auth/refresh", refresh)
        #expect(next.status == .ok && next.json?["refresh_token"] != paired.json?["refresh_token"])
        let last = JSON.object(["refresh_token": next.json?["refresh_token"] ?? ""]).serialized()
        #expect(await served.table.ask("POST", "/api/auth/revoke", last).status == .ok)
        #expect(await served.table.ask("POST", "/api/auth/refresh", last).status == .unauthorized)
    }

    /// Those of one IPv6 network are one guesser; who is on the socket is the user.
    @Test(arguments: [("/api/auth/refresh", 120, "refresh_token"), ("/api/pair/code", 10, "code")])
    func guessesAreLimited(path: String, limit: Int, member: String) async {
        let body = JSON.object([member: "wrong"]).serialized()
        func ask(_ address: String) async -> HTTPStatus {
            await served.table.ask("POST", path, body, from: .at(address)).status
        }
        for number in 0..<limit { #expect(await ask("2001:db8::\(number)") != .tooManyRequests) }
        #expect(await ask("2001:db8::ffff") == .tooManyRequests)
        #expect(await ask("2001:db9::1") != .tooManyRequests)
        #expect(await served.table.ask("POST", path, body, from: .owner).status != .tooManyRequests)
        served.clock.advance(by: 60)
        #expect(await ask("2001:db8::ffff") != .tooManyRequests)
    }

    /// Others at an address must not be able to shut out who has a right one.
    @Test func aRightSecretIsTakenAmongManyWrongOnes() async throws {
        let offer = try await served.pairing.start(name: nil, level: .approve)
        for _ in 0..<130 { _ = await served.table.ask("POST", "/api/auth/exchange", #"{"pairing_token":"x"}"#) }
        #expect(await served.table.ask("POST", "/api/auth/exchange", token(offer)).status == .ok)
    }

    @Test func whereTheDaemonIsAnybodyMayAskAndOnlyItsUserGetsAToken() async {
        let info = await served.table.ask("GET", "/api/pair/info")
        #expect(info.json?["ws"] == "wss://desk:8766/ws" && info.json?["token"] == nil)
        let asking = "/api/pair/info?include_token=1"
        #expect(await served.table.ask("GET", asking).status == .forbidden)
        #expect(await served.table.ask("GET", asking, from: .owner).json?["token"] != nil)
        for _ in 0..<118 { _ = await served.table.ask("GET", "/api/pair/info") }
        #expect(await served.table.ask("GET", "/api/pair/info").status == .tooManyRequests)
    }

    // MARK: Answer links

    @Test func anUnknownLinkIsNotGuessed() async {
        func ask(_ body: String) async -> HTTPStatus { await served.table.ask("POST", "/a", body).status }
        #expect(await ask(#"{"secret":"x"}"#) == .notFound)
        #expect(await ask("{") == .badRequest)
        #expect(await ask(#"{"secret":"\#(String(repeating: "x", count: 1024))"}"#) == .badRequest)
        for _ in 0..<27 { #expect(await ask(#"{"secret":"x"}"#) == .notFound) }
        #expect(await ask(#"{"secret":"x"}"#) == .tooManyRequests)
        let plain = await served.table.ask("POST", "/a", "{}", headers: ["Content-Type": "text/plain"])
        #expect(plain.status == .unsupportedMediaType)
    }

    // MARK: Hooks

    @Test(arguments: ["/hooks/claude", "/api/hooks/session"])
    func aHookIsReadAndAnswered(path: String) async {
        let body = #"{"session_id":"s","hook_event_name":"SessionStart","cwd":"/p","source":"startup"}"#
        #expect(await served.table.ask("POST", path, body, from: .owner).status == .ok)
        #expect(await served.table.ask("POST", path, "{", from: .owner).status == .badRequest)
        #expect(await served.table.ask("POST", "/api/hooks/other", "{", from: .owner).json?["ok"] == true)
    }

    // MARK: Methods

    @Test func aCallIsAnsweredAndItsDocumentGiven() async {
        let call = #"{"jsonrpc":"2.0","id":1,"method":"permission/stats"}"#
        let answer = await served.table.ask("POST", "/rpc", call, from: .owner)
        #expect(answer.status == .ok && answer.json?["result"] != nil)
        #expect(await served.table.ask("POST", "/rpc", "{", from: .owner).status == .badRequest)
        let note = #"{"jsonrpc":"2.0","method":"permission/stats"}"#
        #expect(await served.table.ask("POST", "/rpc", note, from: .owner).status == .noContent)
        #expect(await served.table.ask("GET", "/api/rpc/discover", from: .owner).json?["openrpc"] != nil)
    }
}
