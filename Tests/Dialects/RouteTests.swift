import Core
import Dialects
import Testing
import Wire

@Suite struct RouteTests {
    private let table = RouteTable([
        Route(Route.reading, "/a", for: .anyone) { _, _ in .json(["by": "page"]) },
        Route(["POST"], "/a", for: .anyone, bodyLimit: 10) { _, _ in .json(["by": "link"]) },
        Route(
            ["POST"], .below("/hooks/"), for: .hook,
            work: .request { request, _, _ in .now(.json(["by": .string(request.path)])) }),
        Route(
            ["POST"], .below("/hooks/", tail: "/state"), for: .hook,
            work: .request { _, _, _ in .now(.json(["by": "tail"])) }),
        Route(["GET"], .exact("/ws"), for: .caller, work: .webSocket { _ in NoSession() }),
    ])

    private func refusal(_ method: String, _ path: String, _ headers: HTTPHeaders = [:]) -> HTTPResponse? {
        let request = HTTPRequest(method: method, target: path, headers: headers)
        guard case .failure(let refusal) = table.route(for: request) else { return nil }
        return refusal.response
    }

    @Test(arguments: [
        ("GET", "/a", "page"), ("HEAD", "/a", "page"), ("POST", "/a", "link"), ("POST", "/hooks/x", "/hooks/x"),
        ("POST", "/hooks/x/state", "tail"), ("POST", "/hooks/state", "/hooks/state"),
        ("GET", "/a?x=/b", "page"),
    ])
    func isFoundByPathAndMethod(method: String, path: String, by: String) async throws {
        let answer = await table.ask(HTTPRequest(method: method, target: path), from: .stranger)
        #expect(answer.status == .ok && answer.json?["by"]?.stringValue == by)
    }

    @Test(arguments: [
        "/", "/A", "/a/", "/hooks", "/hooks/", "/hooks/x/y", "/hooks//state", "/hooks/x/y/state", "/hooks/x/state/",
        "/hooks/" + String(repeating: "x", count: 400), "*",
    ])
    func nothingElseIsThere(path: String) throws {
        #expect(refusal("GET", path)?.status == .notFound)
        #expect(refusal("OPTIONS", path, ["Origin": "https://x"])?.status == .notFound)
    }

    @Test func anotherMethodIsToldThoseOfAllRoutesThere() throws {
        let refused = try #require(refusal("DELETE", "/a"))
        #expect(refused.status == .methodNotAllowed && refused.headers["allow"] == "GET, HEAD, POST")
        #expect(refusal("OPTIONS", "/a")?.status == .methodNotAllowed, "no page asks")
        let preflight = try #require(refusal("OPTIONS", "/a", ["Origin": "https://app.example"]))
        #expect(preflight.status == .noContent)
        #expect(preflight.headers["access-control-allow-methods"] == "GET, HEAD, POST")
    }

    @Test func aWebSocketIsFoundByItsHandshakeOnly() throws {
        #expect(refusal("GET", "/ws")?.status == .upgradeRequired)
        #expect((try? table.webSocket(for: HTTPRequest(method: "GET", target: "/ws")).get()) != nil)
        guard case .failure(let refusal) = table.webSocket(for: HTTPRequest(method: "GET", target: "/a")) else {
            throw Unexpected()
        }
        #expect(refusal.response.status == .notFound && refusal.response.text.contains("it is at /ws"))
    }

    @Test(arguments: [(10, false, 200), (11, false, 413), (11, true, 200)])
    func aBodyOverTheCeilingIsRefusedOverTheNetwork(bytes: Int, isLocal: Bool, code: Int) async throws {
        let request = HTTPRequest(method: "POST", target: "/a", body: [UInt8](repeating: 0x78, count: bytes))
        #expect(await table.ask(request, from: isLocal ? .owner : .stranger).status.code == code)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8::1", "2001:db8::"),
        ("2001:db8:1:2::1", "2001:db8:1:2"), ("::1", "::1"), ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
        ("fe80::1%eth0", "fe80::"), ("local", "local"),
    ])
    func limitsCountByNetwork(address: String, network: String) {
        #expect(Sender.at(address).network == network)
    }

    private struct Unexpected: Error {}

    private struct NoSession: SocketSession {
        func opened(_ socket: any ClientSocket) async {}
        func received(_ message: WebSocketMessage) async {}
        func closed(_ closure: WebSocketClosure) async {}
    }
}
