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

    @Test func aProjectHasAsManyPartsOfItsPathAsTellItFromOthers() {
        let paths = ["/home/u/shop", "/home/v/shop", "/home/u/shop/worker", "/w", "/"]
        let names = ProjectNames(paths)
        #expect(paths.map(names.name) == ["u/shop", "v/shop", "worker", "w", "/"])
        #expect(ProjectNames(["/shop", "/u/shop"]).name(of: "/shop") == "/shop")
    }
}
