import Commands
import OrderedJSON
import Testing

/// The list of `cdev sessions`: both kinds, each session once, those that run first.
@Suite struct SessionListTests {
    private static func heard(_ id: String, _ state: String, at minute: Int) -> JSON {
        [
            "session_id": .string(id), "agent": "claude", "state": .string(state), "root": "/w/shop", "title": .null,
            "last_activity": .string(time(minute)), "permission_mode": "default",
        ]
    }

    private static func transcript(_ id: String, at minute: Int) -> JSON {
        [
            "session_id": .string(id), "summary": .string("about \(id)"), "cwd": "/w/shop", "branch": "main",
            "last_updated": .string(time(minute)),
        ]
    }

    private static func run(
        _ id: String, of conversation: String, _ state: String, at minute: Int, workspace: String = "ws-1"
    ) -> JSON {
        [
            "id": .string(id), "workspace_id": .string(workspace), "claude_state": .string(state),
            "claude_session_id": .string(conversation), "permission_mode": "plan", "title": .null,
            "last_active": .string(time(minute)),
        ]
    }

    private static func time(_ minute: Int) -> String { "2026-11-25T03:\(minute):00Z" }

    private static func ids(_ list: SessionList) -> [String?] { list.sessions.map { $0["session_id"]?.stringValue } }

    @Test func thoseThatRunComeFirstAndTheOneThatWaitsBeforeThem() {
        let states = [("a", "stale", 50), ("b", "active", 20), ("c", "ended", 55), ("d", "tool_running", 10)]
        let list = SessionList(
            heard: states.map { Self.heard($0.0, $0.1, at: $0.2) }
                + [Self.heard("e", "permission_pending", at: 11), Self.heard("f", "permission_pending", at: 12)],
            transcripts: [Self.transcript("p", at: 59), Self.transcript("q", at: 30)], hasMoreTranscripts: false,
            most: nil)
        #expect(Self.ids(list) == ["f", "e", "d", "b", "a", "p", "c", "q"])
        #expect(!list.hasMore)
    }

    @Test func aSessionOfBothKindsIsListedOnceWithAllThatIsKnown() {
        let list = SessionList(
            heard: [Self.heard("a", "active", at: 20)], transcripts: [Self.transcript("a", at: 19)],
            hasMoreTranscripts: false, most: nil)
        #expect(Self.ids(list) == ["a"])
        let session = list.sessions[0]
        #expect(session["state"] == "active" && session["branch"] == "main" && session["summary"] == "about a")
        #expect(session["last_activity"] == .string(Self.time(20)))
    }

    @Test func aSessionOfThePastHasTheNamesOfTheOthers() {
        let list = SessionList(
            heard: [], transcripts: [Self.transcript("p", at: 59)], hasMoreTranscripts: false, most: nil)
        let session = list.sessions[0]
        #expect(session["state"] == "past" && session["root"] == "/w/shop" && session["agent"] == "claude")
        #expect(session["last_activity"] == .string(Self.time(59)))
    }

    /// None that runs is left out, however many there are.
    @Test(arguments: [(2, true), (3, false), (4, false)]) func onlyThoseThatHaveEndedAreBounded(most: Int, more: Bool) {
        let running = (10..<40).map { Self.heard("r\($0)", "active", at: $0) }
        let list = SessionList(
            heard: running + [Self.heard("e", "ended", at: 10)],
            transcripts: [Self.transcript("p", at: 59), Self.transcript("q", at: 9)], hasMoreTranscripts: false,
            most: most)
        #expect(list.sessions.count == 30 + min(most, 3) && list.hasMore == more)
        #expect(Self.ids(list)[30] == "p")
        let unread = SessionList(heard: running, transcripts: [], hasMoreTranscripts: true, most: most)
        #expect(unread.hasMore)
    }

    @Test func aSessionThatTheDaemonRunsIsListedOnceInItsOwnState() {
        let heard = [
            Self.heard("a", "ended", at: 20), Self.heard("b", "stale", at: 21), Self.heard("c", "active", at: 22),
            Self.heard("d", "active", at: 23),
        ]
        let list = SessionList(
            heard: heard, transcripts: [Self.transcript("b", at: 19)], hasMoreTranscripts: false,
            run: [
                Self.run("s_1", of: "a", "parked", at: 30), Self.run("s_2", of: "b", "idle", at: 10),
                Self.run("s_3", of: "c", "waiting", at: 22),
            ], most: nil)
        #expect(Self.ids(list) == ["c", "d", "b", "a"])
        #expect(list.sessions.map { $0["state"] } == ["permission_pending", "active", "active", "parked"])
        #expect(list.sessions.map { $0["run"]?["id"] } == ["s_3", nil, "s_2", "s_1"])
        let times = list.sessions.map { $0["last_activity"]?.stringValue }
        #expect(times == [22, 23, 21, 30].map(Self.time))
        #expect(list.sessions[2]["permission_mode"] == "plan" && list.sessions[2]["branch"] == "main")
        #expect(list.sessions[1]["permission_mode"] == "default")
    }

    @Test func oneOfWhichNoHookToldIsNoneOfThePast() {
        let run = [
            Self.run("s_1", of: "p", "running", at: 30), Self.run("s_2", of: "new", "starting", at: 31),
            Self.run("s_3", of: "lost", "stopping", at: 32, workspace: "ws-gone"),
        ]
        let list = SessionList(
            heard: [], transcripts: [Self.transcript("p", at: 59)], hasMoreTranscripts: false, run: run,
            directories: ["ws-1": "/w/shop/here"], most: nil)
        #expect(Self.ids(list) == ["p", "new", "lost"])
        #expect(list.sessions.map { $0["state"] } == ["tool_running", "starting", "stopping"])
        #expect(list.sessions.map { $0["root"] } == ["/w/shop/here", "/w/shop/here", nil])
        #expect(list.sessions[0]["summary"] == "about p" && list.sessions.allSatisfy { $0["agent"] == "claude" })
        #expect(!list.hasMore)
    }

    @Test func aProjectHasAsManyPartsOfItsPathAsTellItFromOthers() {
        let paths = ["/home/u/shop", "/home/v/shop", "/home/u/shop/worker", "/w", "/"]
        let names = ProjectNames(paths)
        #expect(paths.map(names.name) == ["u/shop", "v/shop", "worker", "w", "/"])
        #expect(ProjectNames(["/shop", "/u/shop"]).name(of: "/shop") == "/shop")
    }
}
