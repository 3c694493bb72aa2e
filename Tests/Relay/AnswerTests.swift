import Glibc
import Testing

/// Answers of a daemon, in every way that an answer may arrive.
@Suite(.timeLimit(.minutes(1)))
struct AnswerTests {
    static let allow =
        #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"é \" }"}}"#

    @Test func anAnswerIsPrintedAsItIs() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.answer(Self.allow)
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path])
        #expect(outcome.output == Self.allow)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let request = try #require(await daemon.received.first)
        #expect(request.head.hasPrefix("POST /hooks/claude HTTP/1.1\r\nHost: localhost\r\n"))
        #expect(request.body == Array(preToolUse.utf8))
        #expect(request.values("Content-Type") == ["application/json"])
        #expect(request.values("Connection") == ["close"])
        #expect(request.values("Content-Length") == ["\(preToolUse.utf8.count)"])
        #expect(try request.values("Cdev-Request").first?.wholeMatch(of: Regex("[0-9a-f]{32}")) != nil)
    }

    @Test func eachCallHasItsOwnId() async throws {
        let scene: ScriptedDaemon.Scene = {
            $0.readRequest()
            $0.answer("{}")
        }
        let daemon = try ScriptedDaemon([scene, scene])
        _ = await runRelay(["--socket", daemon.path])
        _ = await runRelay(["--socket", daemon.path])
        #expect(Set(await daemon.received.flatMap { $0.values("Cdev-Request") }).count == 2)
    }

    static let length = allow.utf8.count
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(allow)",
        "HTTP/1.0 200\r\nCONTENT-LENGTH:\(length) \t\r\nX:\r\n\r\n\(allow)",
        "HTTP/1.1 200 OK\r\n\r\n\(allow)",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(allow)",
        "HTTP/1.1 102 Processing\r\nCdev-Deadline: 60.5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(allow)",
    ])
    func anAnswerMayComeInAnyPieces(_ text: String) async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.send(text)
            },
            {
                $0.readRequest()
                for byte in text.utf8 { $0.send([byte]) }
            },
        ])
        for _ in 0..<2 {
            let outcome = await runRelay(["--socket", daemon.path])
            #expect(outcome.output == Self.allow)
            #expect(outcome.status == 0)
        }
    }

    @Test func a102ExtendsTheWait() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.hold("2")
                $0.take(700)
                $0.hold("3.5")
                $0.take(700)
                $0.answer(Self.allow)
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path, "--first-byte-ms", "500", "--grace-ms", "500"])
        #expect(outcome.output == Self.allow)
    }

    /// Later and later deadlines, on one connection or after a restart, do not hold a call longer than the first one.
    @Test(arguments: [true, false])
    func noLaterDeadlineIsFollowed(_ staysConnected: Bool) async throws {
        let later: ScriptedDaemon.Scene = {
            if !staysConnected { $0.readRequest() }
            $0.hold("60")
            $0.take(3000)
            $0.answer(Self.allow)
        }
        let first: ScriptedDaemon.Scene = {
            $0.readRequest()
            $0.hold("0.5")
            if staysConnected { later($0) } else { $0.leave() }
        }
        let daemon = try ScriptedDaemon(staysConnected ? [first] : [first, later])
        let outcome = await runRelay(["--socket", daemon.path, "--grace-ms", "500"])
        expectNoOpinion(outcome)
        #expect(outcome.errors.contains("in time"))
    }

    /// The daemon sends a 102 without a deadline first, then a 102 with the deadline.
    @Test func aDeadlineCountsBehindAnAnswerWithoutOne() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.hold(nil)
                $0.hold("2")
                $0.take(1000)
                $0.answer(Self.allow)
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path, "--grace-ms", "500"])
        #expect(outcome.output == Self.allow)
    }

    @Test func answersWithoutADeadlineBuyNoTime() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                for _ in 0..<6 {
                    $0.hold(nil)
                    $0.take(250)
                }
                $0.answer(Self.allow)
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path, "--grace-ms", "500"])
        expectNoOpinion(outcome)
        #expect(outcome.errors.contains("in time"))
    }

    @Test func largeInputsAndAnswersPassWhole() async throws {
        let input = preToolUse + String(repeating: "0123456789abcdef", count: 5 * 65536)
        let reply = #"{"a":""# + String(repeating: "x", count: 3 << 20) + #""}"#
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.answer(reply)
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path, "--first-byte-ms", "30000"], input: input)
        #expect(outcome.output == reply)
        #expect(await daemon.received.map(\.body) == [Array(input.utf8)])
    }

    @Test func aRelayThatIsEndedLeavesTheDaemonAndPrintsNothing() async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.hold("60")
                kill($0.process, SIGTERM)
                $0.waitUntilGone()
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path])
        #expect(outcome.signal == SIGTERM)
        #expect(outcome.output == "")
        _ = await daemon.received
    }
}
