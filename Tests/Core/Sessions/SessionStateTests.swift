import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// The life cycle of a session: active, a tool running, a request pending, stale, ended.
@Suite struct SessionStateTests {
    private func states(_ stage: Stage) -> [String] {
        stage.state.sessionViews(at: stage.now).map { "\($0.session.id) \($0.state.rawValue)" }
    }

    @Test func eachStateAsItComes() {
        var stage = Stage()
        stage.send(.turn(.sessionStart, prompt: nil))
        #expect(states(stage) == ["s1 active"])
        stage.send(.tool(.preToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        #expect(states(stage) == ["s1 tool_running"])
        stage.send(.tool(.postToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        stage.send(.bash("touch x", id: "t2"))
        #expect(states(stage) == ["s1 permission_pending"])
        stage.respond(stage.pending[0].id, .deny)
        stage.send(.turn(.stop))
        #expect(states(stage) == ["s1 active"])
        stage.now = stage.now + 300
        #expect(states(stage) == ["s1 stale"])
        stage.send(.turn(.userPromptSubmit, prompt: "p2"))
        #expect(states(stage) == ["s1 active"])
        stage.send(.turn(.sessionEnd, prompt: nil))
        #expect(states(stage).isEmpty)
    }

    @Test func whatRunsOrWaitsIsNeverStale() {
        var policy = Policy()
        policy.permissionTimeout = 4000
        var stage = Stage(policy)
        stage.send(.bash("touch x", session: "held"))
        stage.send(.tool(.preToolUse, "Read", ["file_path": "/p/a"], id: "t1", session: "running"))
        stage.now = stage.now + 3600
        #expect(Set(states(stage)) == ["held permission_pending", "running tool_running"])
    }

    @Test func noEventMakesAClaudeProcessAStranger() {
        var stage = Stage()
        stage.send(.turn(.sessionStart, prompt: nil), from: HookSource(claudePID: 7))
        stage.send(.turn(.notification), from: HookSource(claudePID: 8))
        stage.send(.turn(.notification), from: HookSource(claudePID: 9, isVerified: false))
        stage.send(.turn(.sessionEnd, prompt: nil), from: HookSource(claudePID: 8))
        #expect(stage.state.claudeProcesses == [7: 5, 8: 5])
    }

    @Test func aRootStaysWhenItsSessionComesBack() {
        var stage = Stage()
        func come(_ cwd: String, _ name: HookEventName = .sessionStart) {
            stage.send(AgentEvent(name: name, sessionID: "s1", cwd: cwd, promptID: nil, agentID: nil, raw: [:]))
        }
        come("/p/project")
        come("/p/project", .sessionEnd)
        come("/p")
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.root) == ["/p/project"])
    }

    /// The roots of a thousand ended sessions are kept; of a full list an eighth is dropped at a time.
    @Test(arguments: [(0, false), (400, true), (1099, true)])
    func ofManyThatEndedTheLatestKeepTheirRoots(number: Int, isKept: Bool) {
        var stage = Stage()
        func come(_ number: Int, _ cwd: String, _ name: HookEventName = .sessionStart) {
            stage.send(AgentEvent(name: name, sessionID: "s\(number)", cwd: cwd, promptID: nil, agentID: nil, raw: [:]))
        }
        for number in 0..<1100 {
            come(number, "/p/project")
            come(number, "/p/project", .sessionEnd)
        }
        come(number, "/p")
        let root = isKept ? "/p/project" : "/p"
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.root) == [root])
    }

    @Test func aSessionWithoutAProcessIsForgottenAfterADay() {
        var stage = Stage()
        stage.send(.turn(.sessionStart, prompt: nil))
        stage.wait(86_399)
        #expect(states(stage) == ["s1 stale"])
        stage.wait(31)
        #expect(states(stage).isEmpty)
    }

    @Test func theHistoryHoldsTheLatestCalls() {
        var stage = Stage()
        let long = String(repeating: "x", count: 5000)
        for number in 0..<120 {
            stage.send(.tool(.preToolUse, "Read", ["file_path": .string(long)], id: "t\(number)"))
            stage.send(.tool(.postToolUse, "Read", ["file_path": .string(long)], id: "t\(number)"))
        }
        let tools = stage.state.sessionViews(at: stage.now)[0].session.tools
        #expect(tools.map(\.useID) == (20..<120).map { "t\($0)" })
        #expect(tools.allSatisfy { $0.isError == false && $0.endedAt != nil })
        #expect((tools[0].toolInput["file_path"]?.stringValue?.count ?? 0) < 1100, "a history keeps no whole files")
    }

    static let roots: [(project: String?, cwd: String, root: String)] = [
        ("/p", "/p", "/p"), ("/p", "/p/sub", "/p"), ("/p/", "/p/sub", "/p"), ("/p", "/elsewhere", "/elsewhere"),
        ("/p", "/pq", "/pq"), (nil, "/p/sub", "/p/sub"), ("relative", "/p", "/p"),
    ]

    @Test(arguments: roots)
    func theRootIsSetOnceAndNeverMoves(_ project: String?, _ cwd: String, _ root: String) {
        var stage = Stage()
        let first = AgentEvent(name: .sessionStart, sessionID: "s1", cwd: cwd)
        stage.send(first, from: HookSource(projectDirectory: project))
        stage.send(
            AgentEvent(name: .stop, sessionID: "s1", cwd: "/moved"), from: HookSource(projectDirectory: "/moved"))
        #expect(stage.state.sessionViews(at: stage.now)[0].session.root == root)
    }

    @Test func aStrangerSetsNoRoot() {
        var stage = Stage()
        let forged = AgentEvent(name: .sessionStart, sessionID: "s1", cwd: "/")
        stage.send(forged, from: HookSource(projectDirectory: "/", isVerified: false))
        stage.send(AgentEvent(name: .stop, sessionID: "s1", cwd: "/p"))
        #expect(stage.state.sessionViews(at: stage.now)[0].session.root == "/p")
    }

    @Test func aStrangersReportEndsNoToolOfTheUsers() {
        var stage = Stage()
        stage.send(.tool(.preToolUse, "Read", ["file_path": "/p/a"], id: "t1"))
        stage.send(.tool(.postToolUse, "Read", ["file_path": "/p/a"], id: "t1"), from: HookSource(isVerified: false))
        #expect(states(stage) == ["s1 tool_running"])
    }
}
