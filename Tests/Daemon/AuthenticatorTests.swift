import Agents
import Core
import Daemon
import Foundation
import Host
import OrderedJSON
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct AuthenticatorTests {
    private let respond =
        #"{"jsonrpc":"2.0","id":1,"method":"permission/respond","params":{"request_id":"r","decision":"allow"}}"#

    @Test(arguments: [
        ["CLAUDECODE=1"], ["PATH=/bin", "CLAUDECODE=1", "A=b"], ["CODEX_THREAD_ID=01a2"], ["COPILOT_CLI=1"],
        ["CURSOR_AGENT=1"], ["GEMINI_CLI=1"], ["GROK_AGENT=1"], ["GROK_SESSION_ID=01a2"], ["OPENCODE=1"],
        ["QWEN_CODE=1"],
    ])
    func keepsAnAgentFromDeciding(environment: [String]) async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        try test.home.addProcess(getpid(), environment: environment)
        for method in ["permission/respond", "permission/revoke", "token/create", "token/list", "token/revoke"] {
            let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{}}"#
            let error = try await test.ask("POST", "/rpc", body).json?["error"]
            #expect(error?["data"]?["refused"] != nil, "\(method)")
            let event = try await approver.message("event/agent_refused")
            #expect(event["method"]?.stringValue == method && event["pid"]?.intValue == Int(getpid()))
        }
        let agent = try test.local()
        _ = try await agent.upgrade()
        try await agent.say(respond)
        #expect(try await agent.message(id: 1)["error"] != nil)
        #expect(try await test.call("permission/stats")["approvers"] == 1)
        await test.daemon.stop()
        #expect(try test.home.read("server.log").contains("a process inside an agent was refused"))
    }

    /// Else a stranger could turn the log over, and with it what he did before.
    @Test func aFloodOfRefusalsIsNotAFloodOfLines() async throws {
        let test = try await TestDaemon()
        let peer = try test.network()
        func knock(_ count: Int) async throws {
            for number in 0..<count {
                let host = number.isMultiple(of: 2) ? test.host : "evil.example"
                let headers: HTTPHeaders = ["Authorization": "Bearer x", "Content-Type": "application/json"]
                try await peer.send(httpRequest("POST", "/rpc", "{}", host: host, headers: headers))
                #expect([401, 421].contains(try await peer.response().status.code))
            }
        }
        func lines() throws -> [Substring] {
            try test.home.read("server.log").split(separator: "\n").filter { $0.contains(" warning ") }
        }
        try await knock(400)
        #expect(try lines().count == 121)
        #expect(try lines().last?.contains("more is refused than is logged") == true)
        for _ in 0..<10 { #expect(try await test.exchange("x").status.code == 401) }
        #expect(try await test.post("/a", ["secret": "x"]).status.code == 404)
        #expect(try lines().count == 121, "what is tried elsewhere is no flood of lines either")
        test.clock.advance(by: 60)
        try await knock(1)
        #expect(try lines().last?.contains("unknown token") == true)
        await test.daemon.stop()
    }

    @Test func knowsAnAgentByItsAncestors() throws {
        let home = try PrivateHome()
        let table = ProcessTable(root: home.file("proc")) { _, _ in nil }
        try home.addProcess(10, parent: 9)
        try home.addProcess(9, parent: 8)
        try home.addProcess(8, parent: 1, started: 77)
        #expect(!table.runsInsideAgent(10, agents: [:]))
        #expect(table.runsInsideAgent(10, agents: [8: 77]))
        #expect(!table.runsInsideAgent(10, agents: [8: 78]), "another process has this number by now")
        try home.addProcess(9, parent: 8, environment: ["CLAUDECODE=1"])
        #expect(table.runsInsideAgent(10, agents: [:]), "the shell it was started from")
        #expect(table.runsInsideAgent(4711, agents: [:]), "nobody can say")
        #expect(table.startTime(of: 8) == 77 && table.parent(of: 10) == 9 && table.startTime(of: 4711) == nil)
        try home.addProcess(20, environment: ["XCLAUDECODE=1", "CLAUDECODES=1"])
        #expect(!table.runsInsideAgent(20, agents: [:]))
        try home.addProcess(21, environment: ["GROK_AGENT=reviewer", "GROK_AGENT=10", "XGEMINI_CLI=1"])
        #expect(!table.runsInsideAgent(21, agents: [:]), "a person names an agent of theirs so")
    }

    /// As where Claude is what a container runs.
    @Test(arguments: [(["CLAUDECODE=1"], [:]), (["HOME=/h"], [1: 50])] as [([String], [Int32: UInt64])])
    func theFirstProcessCanBeAnAgent(environment: [String], agents: [Int32: UInt64]) throws {
        let home = try PrivateHome()
        let table = ProcessTable(root: home.file("proc")) { _, _ in nil }
        try home.addProcess(10, parent: 1)
        #expect(!table.runsInsideAgent(10, agents: agents), "it may be hidden")
        try home.addProcess(1, parent: 0, started: 50, environment: environment)
        #expect(table.runsInsideAgent(10, agents: agents))
    }

    /// Else an agent lets a process of its own ask and end, until it ends just after its environment was looked at.
    @Test func nobodyIsClearedByEnding() async throws {
        let home = try PrivateHome()
        try home.addProcess(10, parent: 9)
        try home.addProcess(9, parent: 1, environment: ["CLAUDECODE=1"])
        let environment = home.file("proc/10/environ")
        try FileManager.default.removeItem(atPath: environment)
        #expect(mkfifo(environment, 0o600) == 0)
        let table = ProcessTable(root: home.file("proc")) { _, _ in nil }
        async let isInside = Task.detached { table.runsInsideAgent(10, agents: [:]) }.value
        // Opens once the other side reads.
        let pipe = try FileHandle(forWritingTo: URL(fileURLWithPath: environment))
        try FileManager.default.removeItem(atPath: environment)
        try Data("HOME=/h\0".utf8).write(to: URL(fileURLWithPath: environment))
        try FileManager.default.removeItem(atPath: home.file("proc/10"))
        try pipe.write(contentsOf: Data("HOME=/h\0".utf8))
        try pipe.close()
        #expect(await isInside)
    }

    @Test func knowsAnotherProcessWithItsNumber() async throws {
        let test = try await TestDaemon()
        let peer = try test.local()
        let stats = #"{"jsonrpc":"2.0","id":1,"method":"token/list"}"#
        try await peer.send(httpRequest("POST", "/rpc", stats))
        #expect(try await peer.response().json?["result"] != nil)
        try test.home.addProcess(getpid(), started: UInt64.max)
        try await peer.send(httpRequest("POST", "/rpc", stats))
        #expect(try await peer.response().json?["error"]?["data"]?["refused"] != nil)
        await test.daemon.stop()
    }

    @Test func aYoungerParentIsNoParent() throws {
        let home = try PrivateHome()
        let table = ProcessTable(root: home.file("proc")) { _, _ in nil }
        try home.addProcess(10, parent: 9, started: 100)
        try home.addProcess(9, parent: 1, started: 101)
        #expect(table.runsInsideAgent(10, agents: [:]))
    }

    @Test func findsAnAgentAboveItsHook() throws {
        let home = try PrivateHome()
        let table = ProcessTable(root: home.file("proc")) { _, _ in nil }
        for (pid, name) in [(10, "cdev-hook"), (9, "sh"), (8, "grok"), (7, "grok")] as [(Int32, String)] {
            try home.addProcess(pid, parent: pid - 1)
            try home.write("proc/\(pid)/comm", name + "\n")
        }
        #expect(table.ancestor(of: 10, named: "grok") == 8 && table.ancestor(of: 8, named: "grok") == 7)
        #expect(table.ancestor(of: 10, named: "claude") == nil && table.ancestor(of: 4711, named: "grok") == nil)
    }

    /// Of an earlier process with this number the file may still lie there.
    @Test func knowsAClaudeThatListsItself() throws {
        let home = try PrivateHome()
        try home.addProcess(10, parent: 8)
        try home.addProcess(8, parent: 1, started: 77)
        let registry = home.file("claude")
        let table = ProcessTable(root: home.file("proc")) { pid, _ in
            ClaudeRegistry(directory: registry).startTime(of: pid)
        }
        #expect(!table.runsInsideAgent(10, agents: [:]), "no list")
        try FileManager.default.createDirectory(atPath: registry + "/sessions", withIntermediateDirectories: true)
        let entries = [
            (#"{"pid":8,"procStart":"77","status":"busy"}"#, true), (#"{"pid":8,"procStart":"76"}"#, false),
            (#"{"pid":9,"procStart":"77"}"#, false), (#"{"pid":8}"#, false), ("{", false), ("", false),
        ]
        for (text, isInside) in entries {
            try Data(text.utf8).write(to: URL(fileURLWithPath: registry + "/sessions/8.json"))
            #expect(table.runsInsideAgent(10, agents: [:]) == isInside, "\(text)")
        }
    }

    @Test func readsTheKernelsTable() {
        let table = ProcessTable { _, _ in nil }
        #expect(table.startTime(of: getpid()) != nil)
        #expect(table.parent(of: getpid()) == getppid())
    }

    @Test func wantsATokenOverTCP() async throws {
        let test = try await TestDaemon()
        for headers in [HTTPHeaders(), ["Authorization": "Bearer wrong"], ["Authorization": "Basic x"]] {
            let answer = try await test.askNetwork("POST", "/rpc", respond, headers: headers)
            #expect(answer.status.code == 401 && answer.headers["www-authenticate"] == "Bearer")
            #expect(try await test.network().upgrade(host: test.host, headers: headers).status.code == 401)
        }
        let token = try #require(try await test.call("token/create", ["name": "phone"])["token"]?.stringValue)
        #expect(token.hasPrefix("cdev_s_") && token.utf8.count == 50)
        let phone: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        let stats = #"{"jsonrpc":"2.0","id":1,"method":"permission/stats"}"#
        #expect(try await test.askNetwork("POST", "/rpc", stats, headers: phone).json?["result"] != nil)
        let list = #"{"jsonrpc":"2.0","id":1,"method":"token/list"}"#
        #expect(try await test.askNetwork("POST", "/rpc", list, headers: phone).json?["error"] != nil)
        let discovered = try await test.askNetwork("GET", "/api/rpc/discover", headers: phone)
        #expect(discovered.json?["methods"] != nil)
        await test.daemon.stop()
        let database = try Data(contentsOf: URL(fileURLWithPath: test.home.file("cdev.db")))
        #expect(database.range(of: Data(token.utf8)) == nil, "a token is stored hashed")
        #expect(!(try test.home.read("server.log")).contains(token))
    }

    @Test func letsAPhoneDecideAndPutsItsNameOnIt() async throws {
        let test = try await TestDaemon()
        let token = try #require(try await test.call("token/create", ["name": "my phone"])["token"]?.stringValue)
        let phone = try test.network()
        let handshake = try await phone.upgrade(host: test.host, subprotocols: ["cdev", "cdev.token.\(token)"])
        #expect(handshake.status.code == 101 && handshake.headers["sec-websocket-protocol"] == "cdev")
        let relay = try await test.relay(bash("touch x"))
        let card = try await phone.message("event/pty_permission")
        try await phone.say(
            #"{"jsonrpc":"2.0","id":2,"method":"permission/respond","params":{"request_id":"\#(card["request_id"]?.stringValue ?? "")","decision":"deny"}}"#
        )
        #expect(try await phone.message("event/pty_permission_resolved")["resolved_by"] == "device my phone")
        #expect(try await relay.response().json?["hookSpecificOutput"]?["permissionDecision"] == "deny")
        let history = try await test.call("permission/history", ["decision": "deny"])
        #expect(history["requests"]?.arrayValue?.first?["resolved_by"] == "device my phone")
        _ = try await test.call("token/revoke", ["name": "my phone"])
        let closed = try await phone.lastFrame()
        #expect(closed == .close(code: 1008, reason: "this device was revoked: it was revoked at this machine"))
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        #expect(try await test.askNetwork("POST", "/rpc", respond, headers: headers).status.code == 401)
        await test.daemon.stop()
    }

    @Test func servesItsOwnNamesOnly() async throws {
        let test = try await TestDaemon(configuration: #"{"allowed_origins": ["https://app.example"]}"#)
        let peer = try test.network()
        try await peer.send(httpRequest("GET", "/health", host: "evil.example:\(test.port)"))
        #expect(try await peer.response().status.code == 421)
        let page: HTTPHeaders = ["Origin": "https://evil.example"]
        #expect(try await test.askNetwork("GET", "/health", headers: page).status.code == 403)
        #expect(try await test.askNetwork("POST", "/hooks/claude", bash("x"), headers: page).status.code == 403)
        #expect(try await test.network().upgrade(host: test.host, headers: page).status.code == 403)
        let ours: HTTPHeaders = ["Origin": "https://app.example"]
        let answer = try await test.askNetwork("GET", "/health", headers: ours)
        #expect(answer.status.code == 200 && answer.headers["access-control-allow-origin"] == "https://app.example")
        let preflight = try await test.askNetwork("OPTIONS", "/rpc", headers: ours)
        #expect(preflight.status.code == 204 && preflight.headers["access-control-allow-methods"] == "POST")
        await test.daemon.stop()
    }

    @Test func marksWhatAnybodyHereCouldHaveSent() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let hook = try test.network()
        try await hook.send(httpRequest("POST", "/hooks/claude", bash("touch x"), host: test.host))
        let card = try await approver.message("event/pty_permission")
        #expect(card["unverified"] == true)
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny"])
        _ = try await hook.response()
        let foreign: [HTTPHeaders] = [
            ["Sec-Fetch-Site": "none"], ["X-Forwarded-For": "1.2.3.4"], ["Forwarded": "for=1.2.3.4"],
            ["Authorization": "Bearer nobody"],
        ]
        for headers in foreign {
            #expect(try await test.askNetwork("POST", "/hooks/claude", bash("x"), headers: headers).status.code == 401)
        }
        let stop = #"{"session_id":"s9","hook_event_name":"Stop"}"#
        for _ in 1..<60 {
            #expect(try await test.askNetwork("POST", "/hooks/claude", stop).status.code == 200)
        }
        #expect(try await test.askNetwork("POST", "/hooks/claude", stop).status.code == 429)
        #expect(try await test.ask("POST", "/hooks/claude", stop).status.code == 200, "the relay is never turned away")
        test.clock.advance(by: 60)
        #expect(try await test.askNetwork("POST", "/hooks/claude", stop).status.code == 200)
        await test.daemon.stop()
    }

    @Test func endsAConversationThatIsAFlood() async throws {
        let test = try await TestDaemon()
        let token = try #require(try await test.call("token/create", ["name": "phone"])["token"]?.stringValue)
        let phone = try test.network()
        _ = try await phone.upgrade(host: test.host, headers: ["Authorization": "Bearer \(token)"])
        let note = #"{"jsonrpc":"2.0","method":"initialized"}"#
        try await phone.say("[" + Array(repeating: note, count: 598).joined(separator: ",") + "]")
        let answers = #"{"request_id":"r","decision":"deny"}"#
        let list = Array(repeating: answers, count: 1000).joined(separator: ",")
        try await phone.say(
            #"{"jsonrpc":"2.0","id":1,"method":"permission/respond","params":{"responses":[\#(list)]}}"#)
        #expect(try await phone.message(id: 1)["result"] != nil, "a list of responses is one message")
        try await phone.say(#"{"jsonrpc":"2.0","id":2,"method":"initialized"}"#)
        #expect(try await phone.message(id: 2)["result"] != nil)
        try await phone.say(note)
        guard case .close(let code, let reason)? = try await phone.lastFrame() else {
            throw PeerError(what: "open", code: 0)
        }
        #expect(code == 1008 && reason.contains("600 messages"))
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        #expect(try await test.askNetwork("POST", "/rpc", note, headers: headers).status.code == 429)
        #expect(try await test.ask("POST", "/rpc", note).status.code == 204, "local callers are free")
        await test.daemon.stop()
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "example.invalid"])
    func staysOnLoopbackWithoutTLS(host: String) async throws {
        let error = await #expect(throws: StartError.self) {
            try await TestDaemon { options, _ in options.host = host }
        }
        guard case .openWithoutTLS(host)? = error else {
            throw PeerError(what: "\(String(describing: error))", code: 0)
        }
        #expect(error?.description.contains("--insecure") == true)
    }
}
