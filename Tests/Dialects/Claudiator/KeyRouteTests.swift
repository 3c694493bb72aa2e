import Core
import Dialects
import OrderedJSON
import Services
import TestSupport
import Testing
import Wire

/// Keys of the app are tokens of this daemon.
@Suite struct KeyRouteTests {
    private let table: RouteTable

    init() {
        let clock = ManualClock()
        let services = ClaudiatorServices(
            reports: FakeReports(), devices: FakeDaemon(), rates: DeviceRates(clock: clock), clock: clock)
        table = RouteTable(ClaudiatorRoutes(services: services).routes)
    }

    @Test(
        arguments: [
            (#"{"name":"phone","scopes":["read","write","read"]}"#, ["read", "write"]),
            (#"{"name":" phone ","scopes":["write"],"rate_limit":5}"#, ["read", "write"]),
            (#"{"name":"phone","scopes":["read"]}"#, ["read"]),
        ] as [(String, JSON)])
    func aKeyIsAToken(body: String, scopes: JSON) async throws {
        let answer = await table.ask("POST", "/admin/api-keys", body, from: .owner)
        #expect(answer.status.code == 201 && answer.json?["name"] == "phone" && answer.json?["scopes"] == scopes)
        #expect(answer.json?.objectValue?.map(\.key) == ["id", "name", "key", "scopes", "created_at"])
        let keys = try #require(await table.ask("GET", "/admin/api-keys", from: .owner).json?["keys"]?.arrayValue)
        #expect(keys.count == 1 && keys[0]["scopes"] == scopes)
        let again = await table.ask("POST", "/admin/api-keys", body, from: .owner)
        #expect(again.json?["message"] == "there is a device with the name 'phone'")
    }

    @Test(arguments: [
        (#"{"name":" ","scopes":["read"]}"#, "name is required"), (#"{"scopes":["read"]}"#, "name is required"),
        (#"{"name":"phone","scopes":[]}"#, "scopes must not be empty"),
        (#"{"name":"phone"}"#, "scopes must not be empty"),
        (#"{"name":"phone","scopes":["root"]}"#, "invalid scope 'root': must be 'read' or 'write'"),
    ])
    func aKeyThatIsNotMade(body: String, message: String) async {
        let answer = await table.ask("POST", "/admin/api-keys", body, from: .owner)
        #expect(answer.status.code == 422 && answer.json == ["error": "bad_request", "message": .string(message)])
    }
}
