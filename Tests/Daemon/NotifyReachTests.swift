import Core
import Daemon
import OrderedJSON
import Testing

/// A channel whose links only this machine can open brings no answer.
@Suite(.timeLimit(.minutes(1))) struct NotifyReachTests {
    private static let ntfy = #""ntfy": {"url": "https://ntfy.example/topic"}"#
    private static let webhook = #""webhook": {"url": "http://127.0.0.1:9/", "secret": "s", "answers": true}"#
    private static let teller = #""webhook": {"url": "http://127.0.0.1:9/"}"#

    static let cases: [(configuration: String, answers: Bool, isObstructed: Bool)] = [
        ("{\"notify\": {\(ntfy)}}", false, true), ("{\"notify\": {\(webhook)}}", false, true),
        ("{\"notify\": {\(teller)}}", false, false),
        (#"{"tls": "local-ca", "notify": {"# + ntfy + "}}", false, true),
        (#"{"public_url": "https://cdev.example", "notify": {"# + ntfy + "}}", true, false),
        (#"{"public_url": "https://cdev.example", "notify": {"# + webhook + "}}", true, false),
        // A port forward: who writes that down knows where it leads.
        (#"{"public_url": "http://localhost:8766", "notify": {"# + ntfy + "}}", true, false),
    ]

    @Test(arguments: cases)
    func countsOnlyWhereALinkLeadsSomewhere(configuration: String, answers: Bool, isObstructed: Bool) async throws {
        let test = try await TestDaemon(configuration: configuration)
        let status = try await test.call("status/get")
        let channel = try #require(status["notify"]?.arrayValue?.first)
        #expect(channel["answers"] == .bool(answers) && channel["reachable"] == .bool(answers))
        #expect((channel["obstacle"]?.stringValue?.contains("only this machine") == true) == isObstructed)
        #expect(status["approvers"]?.intValue == (answers ? 1 : 0))
        await test.daemon.stop()
    }

    @Test func nothingIsHeldForIt() async throws {
        let test = try await TestDaemon(configuration: "{\"notify\": {\(Self.ntfy)}}")
        let relay = try await test.relay(bash("touch x"))
        #expect(try await relay.response().json == [:])
        #expect(try test.home.read("server.log").contains("set public_url"))
        await test.daemon.stop()
    }
}
