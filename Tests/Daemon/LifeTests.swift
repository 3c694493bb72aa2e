import Agents
import Core
import Daemon
import Foundation
import OrderedJSON
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct LifeTests {
    @Test func losesNothingOverARestart() async throws {
        let home = try PrivateHome()
        let clock = ManualClock()
        let first = try await TestDaemon(home: home, clock: clock)
        let approver = try await first.approver()
        let token = newToken()
        let relay = try await first.relay(bash("touch x"), token: token)
        let card = try await approver.message("event/pty_permission")
        await first.daemon.stop()
        #expect(try await approver.lastFrame() == .close(code: 1001, reason: "the daemon stops"))
        guard case .interim? = try await relay.answer() else { throw PeerError(what: "no interim answer", code: 0) }
        #expect(try await relay.answer() == nil, "a held call is left to its relay")
        #expect(!FileManager.default.fileExists(atPath: home.file("cdev.sock")))

        clock.advance(by: 3)
        let second = try await TestDaemon(home: home, clock: clock)
        let again = try await second.relay(bash("touch x"), token: token)
        guard case .interim(_, let fields)? = try await again.answer() else {
            throw PeerError(what: "no interim", code: 0)
        }
        #expect(fields["cdev-deadline"] == "57", "the deadline stays where it was")
        let open = try await second.call("permission/pending")["requests"]?.arrayValue
        #expect(open?.map { $0["request_id"] } == [card["request_id"]])
        _ = try await second.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "allow"])
        #expect(try await again.response().json?["hookSpecificOutput"]?["permissionDecision"] == "allow")
        let replay = try await second.call("events/since")
        let names = replay["events"]?.arrayValue?.compactMap { $0["method"]?.stringValue } ?? []
        #expect(names.contains("event/pty_permission") && names.last == "event/pty_permission_resolved")
        #expect(replay["gap"] == false)
        await second.daemon.stop()
    }

    /// Its timer rings only after the hook: a rule that ran out in the machine's sleep would live for another day.
    @Test func aRuleThatRanOutWhileTheMachineSleptSettlesNothing() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        let relay = try await test.relay(bash("touch x"))
        let card = try await approver.message("event/pty_permission")
        _ = try await test.call(
            "permission/respond",
            ["request_id": card["request_id"] ?? "", "decision": "allow", "scope": "session"])
        _ = try await relay.response()
        test.clock.jump(by: 86_400)
        let next = try await test.relay(bash("touch y", id: "toolu_2"))
        guard case .interim? = try await next.answer() else { throw PeerError(what: "settled", code: 0) }
        #expect(try await test.call("permission/rules")["count"] == 0)
        await test.daemon.stop()
    }

    @Test func saysWhenARelayDidNotComeBack() async throws {
        let home = try PrivateHome()
        let clock = ManualClock()
        let first = try await TestDaemon(home: home, clock: clock)
        let approver = try await first.approver()
        let relay = try await first.relay(bash("touch x"))
        _ = try await approver.message("event/pty_permission")
        await first.daemon.stop()
        _ = try await relay.answer()
        let second = try await TestDaemon(home: home, clock: clock)
        let watcher = try await second.approver()
        clock.advance(by: 11)
        #expect(try await watcher.message("event/pty_permission_resolved")["resolved_by"] == "lost")
        await second.daemon.stop()
    }

    /// Whether a person answered or nobody could be asked: who asks again hears what was recorded, who answers late by whom.
    @Test func answersAgainWhatWasAnsweredBefore() async throws {
        let home = try PrivateHome()
        let clock = ManualClock()
        let start = {
            try await TestDaemon(home: home, clock: clock, configuration: #"{"no_approver": "deny"}"#) { _, parts in
                parts.storeOptions.now = { clock.now().wall }
            }
        }
        let first = try await start()
        let tokens = (asked: newToken(), settled: newToken())
        let settled = try await first.relay(bash("touch y", id: "toolu_2"), token: tokens.settled).response()
        let approver = try await first.approver()
        let asked = try await first.relay(bash("touch x"), token: tokens.asked)
        let card = try await approver.message("event/pty_permission")
        let id = card["request_id"] ?? ""
        _ = try await first.call("permission/respond", ["request_id": id, "decision": "deny", "message": "not today"])
        let answer = try await asked.response()
        await first.daemon.stop()

        clock.advance(by: 3)
        let second = try await start()
        let watcher = try await second.approver()
        let again = try await second.relay(bash("touch x"), token: tokens.asked).response()
        #expect(again.json == answer.json && answer.json?.serialized().contains("not today") == true)
        let same = try await second.relay(bash("touch y", id: "toolu_2"), token: tokens.settled).response()
        #expect(same.json == settled.json && settled.json?.serialized().contains("no_approver") == true)
        let error = await #expect(throws: PeerError.self) {
            try await second.call("permission/respond", ["request_id": id, "decision": "allow"])
        }
        #expect(error?.what.contains("-32603") == true && error?.what.contains(#""resolved_by":"local""#) == true)
        try await watcher.leave()
        await second.daemon.stop()
    }

    @Test func servesAHomeOnce() async throws {
        let test = try await TestDaemon()
        let error = await #expect(throws: StartError.self) { try await TestDaemon(home: test.home) }
        let text = try #require(error?.description)
        #expect(text.contains("pid \(getpid())") && text.contains("http://127.0.0.1:\(test.port)"))
        #expect(text.contains(test.home.file("cdev.sock")))
        #expect(try await test.ask("GET", "/health").status.code == 200, "the first one goes on")
        await test.daemon.stop()
    }

    /// Who ends for its database gives and mends nothing, and does not say so.
    @Test func saysThatItHasNotStartedForItsDatabase() async throws {
        let home = try PrivateHome()
        try FileManager.default.createDirectory(atPath: home.file("cdev.db"), withIntermediateDirectories: false)
        let error = await #expect(throws: StartError.self) { try await TestDaemon(home: home) }
        let text = try #require(error?.description)
        #expect(text.contains("has not started") && text.contains("start cdev again") && !text.contains("denies are"))
    }

    @Test func keepsItsHomeToItself() async throws {
        let home = try PrivateHome()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
        let test = try await TestDaemon(home: home)
        let modes = try ["", "cdev.sock", "server.log", "cdev.db"].map { name in
            try #require(FileManager.default.attributesOfItem(atPath: home.file(name))[.posixPermissions] as? Int)
        }
        #expect(modes == [0o700, 0o600, 0o600, 0o600])
        await test.daemon.stop()
    }

    @Test func beatsEveryHalfMinute() async throws {
        let test = try await TestDaemon()
        let listener = try await test.approver()
        test.clock.advance(by: 30)
        #expect(try await listener.message("event/heartbeat")["uptime_seconds"] == 30)
        test.clock.advance(by: 30)
        let beat = try await listener.message("event/heartbeat")
        #expect(beat["uptime_seconds"] == 60 && beat["sequence"] == nil)
        await test.daemon.stop()
    }

    @Test func answersInKind() async throws {
        let test = try await TestDaemon()
        let peer = try await test.approver()
        try await peer.send(
            WebSocketFrame.binary(Array(#"{"jsonrpc":"2.0","id":"b","method":"initialized"}"#.utf8), mask: 7))
        guard case .binary(let bytes)? = try await peer.frame() else { throw PeerError(what: "text", code: 0) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"jsonrpc":"2.0","id":"b","result":{}}"#)
        let relay = try await test.relay(bash("touch x"))
        guard case .binary? = try await peer.frame() else { throw PeerError(what: "an event as text", code: 0) }
        try await peer.say(#"{"jsonrpc":"2.0","id":3,"method":"initialized"}"#)
        _ = try await peer.message(id: 3)
        try await relay.leave()
        guard case .text? = try await peer.frame() else { throw PeerError(what: "an event as binary", code: 0) }
        await test.daemon.stop()
    }

    @Test func tellsHowItIs() async throws {
        let test = try await TestDaemon()
        test.clock.advance(by: 5)
        let status = try await test.call("status/get")
        #expect(status["version"]?.stringValue == Version.text && status["pid"]?.intValue == Int(getpid()))
        #expect(status["uptime_seconds"] == 5 && status["home"]?.stringValue == test.home.path)
        #expect(status["address"]?.stringValue == test.host && status["gate"] == "tool-call")
        #expect(status["store_failure"] == JSON.null && status["hooks"]?["state"] == "unknown")
        let ready = test.daemon.readyLine
        #expect(
            ready
                == "cdev \(Version.text) ready: unix:\(test.home.file("cdev.sock")), http://\(test.host), pid \(getpid())"
        )
        await test.daemon.stop()
    }

    @Test func installsTheHooksItIsToldTo() async throws {
        let claude = try PrivateHome()
        try claude.write("settings.json", #"{"model": "x"}"#)
        let test = try await TestDaemon { options, _ in
            options.hooks = HookInstallation(
                settings: claude.file("settings.json"), relay: "/opt/cdev/bin/cdev-hook",
                templates: InstallScripts.Templates(permission: HookScripts.permission, forward: HookScripts.forward),
                installs: true)
        }
        while try await test.call("status/get")["hooks"]?["state"] != "installed" { try await letOthersRun() }
        let settings = try claude.read("settings.json")
        #expect(settings.contains("permission.sh") && settings.contains(#""model": "x""#))
        await test.daemon.stop()
    }
}
