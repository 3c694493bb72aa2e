import Core
import Services
import TestSupport
import Testing

/// The servers of tools of a session, which its child is asked for.
@Suite(.timeLimit(.minutes(1))) struct ToolServerTests {
    private let stage = RunnerStage()
    private var host: ScriptedHost { stage.host }
    private var runner: SessionRunner { stage.runner }

    private static let servers = [
        ToolServerStatus(name: "web", state: .connected, tools: [ToolServerStatus.Tool(name: "peek")])
    ]

    private func asked(_ session: RunSession) async -> Result<[ToolServerStatus], RunSessionFailure> {
        do throws(RunSessionFailure) { return .success(try await runner.toolServers(of: session.id)) } catch {
            return .failure(error)
        }
    }

    @Test func theChildIsAsked() async throws {
        let session = try await stage.started()
        async let first = runner.toolServers(of: session.id)
        #expect(try await host.written.next() == .listServers(request: "cdev-1-2"))
        async let second = runner.toolServers(of: session.agentID)
        #expect(try await host.written.next() == .listServers(request: "cdev-1-3"))
        await host.report(.answered(request: "cdev-1-3", failure: nil), .servers([]))
        #expect(try await second == [])
        await host.report(.answered(request: "cdev-1-2", failure: nil), .servers(Self.servers))
        #expect(try await first == Self.servers, "each gets the answer to its own request")
    }

    @Test func aChildThatDoesNotKnowTheQuestion() async throws {
        let session = try await stage.started()
        async let answer = asked(session)
        _ = try await host.written.next()
        await host.report(.answered(request: "cdev-1-2", failure: "unsupported"))
        await #expect(answer == .failure(.unanswered))
    }

    @Test func aChildThatSaysNothingIsNotWaitedForForEver() async throws {
        let session = try await stage.started()
        async let answer = asked(session)
        _ = try await host.written.next()
        while !stage.clock.isSet(in: 5) { try await letOthersRun() }
        stage.clock.advance(by: 5)
        await #expect(answer == .failure(.unanswered))
        // Whoever asks next is not given what the first one was to get.
        await host.report(.answered(request: "cdev-1-2", failure: nil), .servers(Self.servers))
        async let next = runner.toolServers(of: session.id)
        _ = try await host.written.next()
        await host.report(.answered(request: "cdev-1-3", failure: nil), .servers([]))
        #expect(try await next == [])
    }

    @Test func withoutAChildNobodyKnows() async throws {
        await #expect(throws: RunSessionFailure.refused(.unknownSession, session: "s_none")) {
            try await runner.toolServers(of: "s_none")
        }
        let session = try await runner.start(RunSessionOrder(workspaceID: "w"))
        await #expect(throws: RunSessionFailure.refused(.starting, session: session.id)) {
            try await runner.toolServers(of: session.id)
        }
        _ = try await host.written.next()
        await host.report(.answered(request: "cdev-1-1", failure: nil))
        async let answer = asked(session)
        _ = try await host.written.next()
        await host.end(.code(1))
        await #expect(answer == .failure(.unanswered))
        #expect(try await runner.session(session.id).phase == .parked)
        await #expect(throws: RunSessionFailure.refused(.notRunning, session: session.id)) {
            try await runner.toolServers(of: session.id)
        }
    }
}
