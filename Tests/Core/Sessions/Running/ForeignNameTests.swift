import Core
import Testing

/// Lines of a child that name a conversation which is not its own.
@Suite struct ForeignNameTests {
    private let now = Instant(wall: Timestamp(milliseconds: 0), uptime: Uptime(milliseconds: 0))

    /// Two sessions of the daemon's, with a process each.
    private func twoSessions() throws -> SessionState {
        var state = SessionState()
        for (number, id) in ["s1", "s2"].enumerated() {
            let start = SessionStart(id: id, workspaceID: "w", directory: "/p", agentID: "a\(number + 1)")
            _ = try state.start(start, at: now)
            let process = ProcessIdentity(pid: Int32(number) + 10, startTime: 1)
            _ = state.spawned(process, session: id, run: 1, at: now)
        }
        return state
    }

    private func effects(of event: ChildEvent, in state: inout SessionState, namesAnother: Bool = false)
        -> [SessionEffect]
    {
        state.line(
            event, session: "s1", run: 1, at: SpoolPlace(offset: 0, length: 9), now: now, namesAnother: namesAnother)
    }

    private func turn(_ agentID: String) -> ChildEvent {
        .turn(TurnFacts(agentID: agentID, mode: .default, model: nil))
    }

    private let alarm = SessionEffect.alarm(session: "s1", "the name of another session")

    @Test func theNameOfAnotherSessionOfOursEndsTheChild() throws {
        for event in [turn("a2"), .conversation("a2")] {
            var state = try twoSessions()
            let effects = effects(of: event, in: &state)
            #expect(effects.contains(alarm) && effects.contains(.signal(session: "s1", .kill)))
            #expect(state["s1"]?.agentID == "a1" && state["s2"]?.agentID == "a2")
        }
    }

    @Test func soDoesThatOfASessionOfAnotherProcess() throws {
        var state = try twoSessions()
        #expect(effects(of: turn("elsewhere"), in: &state, namesAnother: true).contains(alarm))
        #expect(state["s1"]?.agentID == "a1")
    }

    @Test func itsOwnNameAndANewOneDoNot() throws {
        for event in [turn("a1"), turn("a3"), .conversation("a3")] {
            var state = try twoSessions()
            #expect(!effects(of: event, in: &state).contains(alarm))
            #expect(state["s1"]?.agentID == event.conversation)
        }
    }
}
