import Testing

/// A daemon that goes away while it holds the call.
@Suite(.timeLimit(.minutes(1)))
struct RestartTests {
    static let leave: ScriptedDaemon.Scene = { _ in }
    static let readAndLeave: ScriptedDaemon.Scene = { $0.readRequest() }
    static let holdAndLeave: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.hold("60")
    }
    static let holdAndReset: ScriptedDaemon.Scene = {
        $0.peekAtRequest()
        $0.hold("60")
    }
    static let cutInTheBody: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.send("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"hookSpecificOutput\"")
    }
    static let cutWithoutLength: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.send("HTTP/1.1 200 OK\r\n\r\n{\"hookSpecificOutput\":{}")
    }
    static let holdAndCutInTheHead: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.hold("60")
        $0.send("HTTP/1.1 200 OK\r\nContent-Len")
    }
    static let busy: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
    }
    static let answer: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.answer(AnswerTests.allow)
    }
    static let away: ScriptedDaemon.Scene = {
        $0.readRequest()
        $0.hold("60")
        $0.leave()
        $0.daemon.restart(after: 120)
    }

    static let ways: [(String, [ScriptedDaemon.Scene])] = [
        ("read and left", [readAndLeave]),
        ("held and left", [holdAndLeave]),
        ("held and reset", [holdAndReset]),
        ("cut in the body", [cutInTheBody]),
        ("cut without a length", [cutWithoutLength]),
        ("held and cut in the head", [holdAndCutInTheHead]),
        ("held, then busy", [holdAndLeave, busy, busy]),
        ("held twice", [holdAndLeave, holdAndReset, holdAndLeave]),
        ("held, socket gone for a while", [away]),
        ("held, socket gone twice", [away, away]),
    ]

    @Test(arguments: ways.indices)
    func theSameRequestIsSentAgain(_ way: Int) async throws {
        let daemon = try ScriptedDaemon(Self.ways[way].1 + [Self.answer])
        let outcome = await runRelay(["--socket", daemon.path])
        #expect(outcome.output == AnswerTests.allow, "\(Self.ways[way].0)")
        #expect(outcome.status == 0)
        let requests = await daemon.received
        #expect(requests.count == Self.ways[way].1.count + 1)
        #expect(Set(requests.map(\.head)).count == 1)
        #expect(requests.allSatisfy { $0.body == Array(preToolUse.utf8) })
    }

    /// Each drop after a new 102 starts a new search, so a daemon may be away longer in all than one search lasts.
    @Test func eachHoldStartsANewSearch() async throws {
        let away: ScriptedDaemon.Scene = {
            $0.readRequest()
            $0.hold("60")
            $0.leave()
            $0.daemon.restart(after: 400)
        }
        let daemon = try ScriptedDaemon([away, away, Self.answer])
        let outcome = await runRelay(["--socket", daemon.path, "--search-ms", "700"])
        #expect(outcome.output == AnswerTests.allow)
    }

    /// The relay gives up after one search on a listener that accepts connections and closes them.
    @Test(arguments: [0, 1])
    func aDaemonThatNeverAnswersIsGivenUp(_ first: Int) async throws {
        let scenes = [[], [Self.holdAndLeave]][first]
        let daemon = try ScriptedDaemon(scenes, others: Self.leave)
        defer { daemon.stop() }
        let options = ["--socket", daemon.path, "--search-ms", "200"]
        expectNoOpinion(await runRelay(options))
    }

    @Test func aDaemonThatDoesNotComeBackIsGivenUp() async throws {
        let gone: ScriptedDaemon.Scene = {
            $0.readRequest()
            $0.hold("60")
            $0.daemon.stop()
        }
        let daemon = try ScriptedDaemon([gone])
        let outcome = await runRelay(["--socket", daemon.path, "--search-ms", "150", "--on-failure", "block"])
        try expectRefusal(outcome)
        #expect(outcome.errors.contains("did not come back"))
    }

    @Test func theWholeTimeIsBounded() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.hold("60")
                $0.waitUntilGone()
            }
        ])
        expectNoOpinion(await runRelay(["--socket", daemon.path, "--total-ms", "300"]))
        _ = await daemon.received
    }

    /// A killed Claude Code does not end its hooks: they keep running with their output closed.
    @Test func whoeverReadNoLongerListens() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.hold("60")
                $0.waitUntilGone()
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path], isHeard: false)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("nobody waits"))
    }
}
