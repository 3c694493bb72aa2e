import Core
import Foundation
import OrderedJSON
import TestSupport
import Testing
import Wire

/// Workspaces in a whole daemon: hooks that make them, events that carry them, restarts that keep them.
@Suite(.timeLimit(.minutes(1))) struct WorkspaceTests {
    private let folder: TemporaryDirectory
    private let project: String

    init() throws {
        folder = try TemporaryDirectory()
        _ = shell("mkdir -p '\(folder("app/sub"))' '\(folder("other"))'")
        project = folder("app")
    }

    private func hook(_ event: String, session: String = "s1", cwd: String) -> String {
        JSON.object([
            "session_id": .string(session), "hook_event_name": .string(event), "cwd": .string(cwd),
            "permission_mode": "default",
        ]).serialized()
    }

    private func say(_ peer: TestPeer, _ method: String, _ params: JSON, id: Int = 9) async throws -> JSON {
        let call: JSON = ["jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": .string(method), "params": params]
        try await peer.say(call.serialized())
        return try await peer.message(id: id)
    }

    @Test func aSessionMakesOneAndItsEventsCarryIt() async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", cwd: project))
        let added = try await approver.message("event/workspace_added")
        #expect(added["path"]?.stringValue == project && added["origin"] == "seen")
        let relay = try await test.relay(bash("touch x", cwd: project + "/sub"))
        let card = try await approver.message("event/pty_permission")
        #expect(card["workspace_id"] == added["id"])
        let pending = try await test.call("permission/pending")["requests"]?.arrayValue?.first
        #expect(pending?["workspace_id"] == added["id"])
        let one = try await test.call("permission/pending", ["request_id": card["request_id"] ?? ""])
        #expect(one["requests"]?.arrayValue?.first?["workspace_id"] == added["id"])
        let listed = try await test.call("workspace/list")["workspaces"]?.arrayValue?.first
        #expect(listed?["active_session_id"] == "s1" && listed?["active_session_count"] == 1)
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny"])
        _ = try await relay.response()
        let replay = try await test.call("events/since", ["sequence": 0])["events"]?.arrayValue ?? []
        let ended = replay.first { $0["method"] == "event/pty_permission_resolved" }
        #expect(ended?["params"]?["workspace_id"] == added["id"], "also when it is replayed")
        await test.daemon.stop()
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.call("workspace/list")["workspaces"]?.arrayValue?.first?["id"] == added["id"])
        await next.daemon.stop()
    }

    @Test func aRemovedOneIsGoneAfterARestartToo() async throws {
        let test = try await TestDaemon()
        let added = try await test.call("workspace/add", ["path": .string(project), "name": "mine"])
        #expect(added["name"] == "mine" && added["origin"] == "added")
        let removed = try await test.call("workspace/remove", ["id": added["id"] ?? ""])
        #expect(removed["success"] == true)
        await test.daemon.stop()
        let next = try await TestDaemon(home: test.home, clock: test.clock)
        #expect(try await next.call("workspace/list")["count"] == 0)
        await next.daemon.stop()
    }

    @Test func theDaemonsOwnDirectoryIsNone() async throws {
        let test = try await TestDaemon()
        await #expect(throws: PeerError.self) {
            _ = try await test.call("workspace/add", ["path": .string(test.home.path)])
        }
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", cwd: test.home.path))
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", session: "s2", cwd: project))
        while try await test.call("workspace/list")["count"] != 1 { try await letOthersRun() }
        let only = try await test.call("workspace/list")["workspaces"]?.arrayValue?.first
        #expect(only?["path"]?.stringValue == project)
        await test.daemon.stop()
    }

    /// A device may send hooks that count as its owner's, but must not open a directory of this machine by one.
    @Test func aDevicesHookMakesNone() async throws {
        let test = try await TestDaemon()
        let device = try await test.paired()
        let sent = try await test.askNetwork(
            "POST", "/hooks/claude", hook("SessionStart", cwd: project), headers: device.headers)
        #expect(sent.status.code == 200)
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", session: "s2", cwd: folder("other")))
        while try await test.call("workspace/list")["count"] != 1 { try await letOthersRun() }
        let only = try await test.call("workspace/list")["workspaces"]?.arrayValue?.first
        #expect(only?["path"]?.stringValue == folder("other"))
        await test.daemon.stop()
    }

    @Test func aSubscriberHearsOfItsWorkspaceAndOfEveryRequestItMayAnswer() async throws {
        let test = try await TestDaemon()
        let one = try await test.call("workspace/add", ["path": .string(project)])
        _ = try await test.call("workspace/add", ["path": .string(folder("other"))])
        let viewer = try await test.socket(test.paired("view", name: "tv"))
        let phone = try await test.socket(test.paired())
        for peer in [viewer, phone] {
            let reply = try await say(peer, "workspace/subscribe", ["workspace_id": one["id"] ?? ""])
            #expect(reply["result"]?["subscribed"]?.arrayValue == [one["id"] ?? ""])
        }
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", session: "s1", cwd: folder("other")))
        let relay = try await test.relay(bash("touch x", session: "s1", cwd: folder("other")))
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", session: "s2", cwd: project))
        // The first that the viewer gets of a session is of the second.
        let seen = try await viewer.message("event/claude_hook_session")
        #expect(seen["session_id"] == "s2" && seen["workspace_id"] == one["id"])
        let card = try await phone.message("event/pty_permission")
        #expect(card["session_id"] == "s1")
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny"])
        _ = try await relay.response()
        #expect(try await phone.message("event/pty_permission_resolved")["session_id"] == "s1")
        _ = try await say(viewer, "workspace/subscribeAll", [:], id: 10)
        _ = try await test.ask("POST", "/hooks/claude", hook("Stop", session: "s1", cwd: folder("other")))
        #expect(try await viewer.message("event/claude_hook_stop")["session_id"] == "s1")
        await test.daemon.stop()
    }

    @Test func whoLooksIsSeenAndMissed() async throws {
        let test = try await TestDaemon()
        let workspace = try await test.call("workspace/add", ["path": .string(project)])
        _ = try await test.ask("POST", "/hooks/claude", hook("SessionStart", cwd: project))
        let phone = try await test.socket(test.paired())
        let tablet = try await test.socket(test.paired("view", name: "tablet"))
        let focus: JSON = ["workspace_id": workspace["id"] ?? "", "session_id": "s1"]
        #expect(try await say(phone, "client/session/focus", focus)["result"]?["viewer_count"] == 1)
        let second = try await say(tablet, "client/session/focus", focus)["result"]
        #expect(second?["viewer_count"] == 2 && second?["other_viewers"]?.arrayValue?.count == 1)
        let joined = try await phone.message("event/session_joined")
        #expect(joined["session_id"] == "s1" && joined["other_viewers"] == second?["other_viewers"])
        let list = try await test.call("workspace/list")["workspaces"]?.arrayValue?.first
        let viewers = list?["sessions"]?.arrayValue?.first?["viewers"]?.arrayValue ?? []
        #expect(viewers.count == 2 && viewers.contains(joined["joining_client_id"] ?? ""))
        try await tablet.leave()
        let left = try await phone.message("event/session_left")
        #expect(left["leaving_client_id"] == joined["joining_client_id"] && left["viewer_count"] == 1)
        await test.daemon.stop()
    }

    static let driving = ["workspace/add", "workspace/discover", "workspace/remove", "workspace/update"]

    @Test(arguments: driving) func aProcessInsideAnAgentDrivesNothing(_ method: String) async throws {
        let test = try await TestDaemon()
        let approver = try await test.approver()
        try test.home.addProcess(getpid(), environment: ["CLAUDECODE=1"])
        let call: JSON = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method),
            "params": ["path": .string(project), "workspace_id": "ws-1"],
        ]
        let error = try await test.ask("POST", "/rpc", call.serialized()).json?["error"]
        #expect(error?["data"]?["refused"] == "drive")
        #expect(try await approver.message("event/agent_refused")["method"]?.stringValue == method)
        #expect(try await test.call("workspace/list")["count"] == 0, "it may look")
        await test.daemon.stop()
    }
}
