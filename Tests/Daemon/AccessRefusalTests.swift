import Core
import Foundation
import OrderedJSON
import Testing
import Wire

/// Everything that must not get in by `/api/auth` and `/api/pair`.
@Suite(.timeLimit(.minutes(1))) struct AccessRefusalTests {
    private static let posts = [
        "/api/auth/exchange", "/api/auth/refresh", "/api/auth/revoke", "/api/pair/code",
    ]
    private static let owners = [
        ("GET", "/api/pair/qr"), ("POST", "/api/pair/refresh"), ("GET", "/api/auth/pairing/pending"),
        ("POST", "/api/auth/pairing/approve"), ("POST", "/api/auth/pairing/reject"),
        ("GET", "/api/pair/info?include_token=1"),
    ]

    @Test(arguments: posts) func takesSmallJSONOnly(_ path: String) async throws {
        let test = try await TestDaemon()
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
            let answer = try await test.askNetwork("POST", path, "{}", headers: ["Content-Type": type])
            #expect(answer.status.code == 415, "\(type)")
        }
        let peer = try test.network()
        try await peer.send(httpRequest("POST", path, "{}", host: test.host))
        #expect(try await peer.response().status.code == 415, "none at all")
        for body in ["", "[]", "null", "{", "\"x\"", "{}", #"{"code":1,"refresh_token":2,"pairing_token":[]}"#] {
            let answer = try await test.askNetwork("POST", path, body)
            #expect(answer.status.code == 400 && answer.json?["error"] != nil, "\(body)")
            test.clock.advance(by: 20)
        }
        let large = JSON.object(["code": .string(String(repeating: "x", count: 5000))]).serialized()
        #expect(try await test.askNetwork("POST", path, large).status.code == 413)
        #expect(try await test.askNetwork("GET", path).status.code == 405)
        let charset = try await test.askNetwork(
            "POST", path, "{}", headers: ["Content-Type": "application/json; charset=utf-8"])
        #expect(charset.status.code == 400)
        await test.daemon.stop()
    }

    @Test func rpcTakesJSONOnly() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        let body = #"{"jsonrpc":"2.0","id":1,"method":"permission/stats"}"#
        for type in ["text/plain", "", "multipart/form-data; boundary=x"] {
            var headers = device.headers
            headers.append("Content-Type", type)
            #expect(try await test.askNetwork("POST", "/rpc", body, headers: headers).status.code == 415)
        }
        #expect(try await test.ask("POST", "/rpc", body).status.code == 200, "no page reaches the socket")
        await test.daemon.stop()
    }

    @Test(arguments: posts + ["/api/pair/info", "/pair"]) func standsBehindTheGuard(_ path: String) async throws {
        let test = try await TestDaemon()
        let verb = path.hasSuffix("info") || path == "/pair" ? "GET" : "POST"
        for origin in ["https://evil.example", "http://127.0.0.1:1", "http://localhost:\(test.port)x", "null"] {
            let answer = try await test.askNetwork(verb, path, "{}", headers: ["Origin": origin])
            #expect(answer.status.code == 403, "\(origin)")
        }
        for host in ["evil.example", "evil.example:\(test.port)", "127.0.0.1:1"] {
            let peer = try test.network()
            let type: HTTPHeaders = ["Content-Type": "application/json"]
            try await peer.send(httpRequest(verb, path, "{}", host: host, headers: type))
            #expect(try await peer.response().status.code == 421, "\(host)")
        }
        await test.daemon.stop()
    }

    @Test(arguments: owners) func whatLetsInIsForTheSocketAlone(_ verb: String, _ path: String) async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        for headers in [HTTPHeaders(), device.headers] {
            let answer = try await test.askNetwork(verb, path, #"{"request_id":"x"}"#, headers: headers)
            #expect(answer.status.code == 403)
            #expect(answer.json?["token"] == nil && !answer.text.contains("cdev_p_"))
        }
        #expect(try await test.call("pair/pending")["offers"]?.arrayValue?.count == 1, "no offer was made")
        await test.daemon.stop()
    }

    /// Over the socket, where the daemon can tell.
    @Test func aProcessInsideClaudeLetsNobodyIn() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        let offer = try await test.call("pair/start")
        let watcher = try await test.approver()
        try test.home.addProcess(getpid(), environment: ["CLAUDECODE=1"])
        let methods = [
            "pair/start", "pair/pending", "pair/approve", "pair/reject", "device/list", "device/revoke",
            "token/create",
        ]
        for method in methods {
            let params: JSON = ["request_id": offer["offer_id"] ?? "", "device_id": .string(device.id), "name": "x"]
            let body = JSON.object(["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params])
            let error = try await test.ask("POST", "/rpc", body.serialized()).json?["error"]
            #expect(error?["data"]?["refused"] != nil, "\(method)")
            #expect(try await watcher.message("event/agent_refused")["method"]?.stringValue == method)
        }
        let bodies = JSON.object(["pairing_token": offer["token"] ?? "", "code": offer["code"] ?? ""]).serialized()
        for (verb, path) in Self.owners + Self.posts.map({ ("POST", $0) }) {
            let type: HTTPHeaders = ["Content-Type": "application/json"]
            let answer = try await test.ask(verb, path, bodies, headers: type)
            #expect(answer.status.code == 403 && !answer.text.contains("cdev_p_"), "\(path)")
        }
        try test.home.addProcess(getpid())
        #expect(try await test.exchange(offer["token"]).status.code == 200, "the offer is untouched")
        await test.daemon.stop()
    }
}
