import Core
import Platform
import Services
import TestSupport
import Testing

/// The ends of the children of run sessions.
@Suite(.timeLimit(.minutes(1))) struct RunnerEndTests {
    private let stage = RunnerStage()
    private var host: ScriptedHost { stage.host }

    /// A daemon that is killed behind the row, and before that, would leave it running for good.
    @Test(arguments: [ChildExit.code(0), .signal(9), .unseen])
    func whatAChildLeftIsEndedBeforeItsEndIsWrittenDown(exit: ChildExit) async throws {
        let session = try await stage.started()
        await host.report(.state(.running))
        let rows = Locked<[RunLife?]>([])
        host.endsRest = { [store = stage.store] in
            // What is written is written meanwhile.
            for _ in 0..<50 { try? await letOthersRun() }
            rows.withLock { $0.append(store.rows[session.id]?.life) }
        }
        await host.end(exit)
        while try await stage.runner.session(session.id).phase != .parked { try await letOthersRun() }
        while rows.withLock({ $0.isEmpty }) { try await letOthersRun() }
        #expect(rows.withLock { $0 } == [.ready])
    }

    /// One that ends in order ends what it runs.
    @Test func whatAnIdleChildLeftIsItsOwn() async throws {
        let session = try await stage.started()
        let isEnded = Locked(false)
        host.endsRest = { isEnded.withLock { $0 = true } }
        await host.end(.code(0))
        #expect(try await stage.runner.session(session.id).phase == .parked)
        #expect(!isEnded.withLock { $0 })
    }
}
