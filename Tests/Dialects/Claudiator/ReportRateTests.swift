import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// How much one device may report in a minute.
@Suite struct ReportRateTests {
    private let clock = ManualClock()
    private let table: RouteTable

    init() {
        let services = ClaudiatorServices(
            reports: FakeReports(), devices: FakeDaemon(), rates: DeviceRates(clock: clock), clock: clock)
        table = RouteTable(ClaudiatorRoutes(services: services).routes)
    }

    private func ask(_ method: String, _ path: String, _ body: String = "") async -> HTTPResponse {
        let caller = Caller(identity: .device(id: "d_1", name: "phone"), rights: AccessLevel.approve.rights)
        let sender = Sender(caller: caller, address: "203.0.113.9", isLocal: false, connection: 3)
        return await table.ask(method, path, body, from: sender)
    }

    /// A busy machine sends many events, and a flood of them is refused; who asks has another share.
    @Test func aFloodIsRefused() async {
        var refused = 0
        for _ in 0..<3001
        where await ask("POST", "/api/v1/events", ClaudiatorRouteTests.event).status == .tooManyRequests {
            refused += 1
        }
        #expect(refused == 1)
        let answer = await ask("POST", "/api/v1/events", ClaudiatorRouteTests.event)
        #expect(answer.json?["error"] == "rate_limited" && answer.headers["retry-after"] == "60")
        #expect(await ask("GET", "/api/v1/ping").status == .ok)
        clock.advance(by: 60)
        #expect(await ask("POST", "/api/v1/events", ClaudiatorRouteTests.event).status == .ok)
    }

    /// What they hold is read, so their bytes are counted too.
    @Test func aFloodOfBytesIsRefused() async {
        let long = ClaudiatorRouteTests.event.replacing("Claude needs", with: String(repeating: "x", count: 2_000_000))
        var statuses: [Int] = []
        for _ in 0..<34 { statuses.append(await ask("POST", "/api/v1/events", long).status.code) }
        #expect(statuses.dropLast().allSatisfy { $0 == 200 } && statuses.last == 429, "\(statuses)")
    }
}
