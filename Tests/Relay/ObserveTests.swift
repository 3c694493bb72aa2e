import Glibc
import Testing

/// Events that are sent to the daemon without waiting for an answer.
@Suite(.timeLimit(.minutes(1)))
struct ObserveTests {
    /// The daemon reads only after the relay has ended, and still gets all of a small event.
    @Test func theRelayDoesNotWait() async throws {
        let daemon = try ScriptedDaemon([
            {
                while kill($0.process, 0) == 0 { $0.take(5) }
                $0.readRequest()
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path, "--observe"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "" && outcome.errors == "")
        let request = try #require(await daemon.received.first)
        #expect(request.body == Array(preToolUse.utf8))
        #expect(request.values("Cdev-Request").count == 1)
    }

    /// The daemon asks the kernel for the ancestors of the sender, which has to live so long.
    @Test(arguments: [("SessionStart", "source"), ("SessionEnd", "reason")])
    func atClearTheRelayWaits(_ event: String, _ member: String) async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                #expect($0.relayWaits())
                $0.answer(AnswerTests.allow)
            }
        ])
        let input = #"{"hook_event_name":"\#(event)","\#(member)":"clear"}"#
        let outcome = await runRelay(["--socket", daemon.path, "--observe"], input: input)
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
        _ = await daemon.received
    }

    /// Nothing depends on the sender at any other start or end, so Claude Code need not wait for the disk. A busy machine
    /// may delay one relay; a relay that waits takes a second each time.
    @Test(arguments: [#""SessionStart","source":"startup""#, #""SessionEnd","reason":"other""#])
    func atOtherEndsOfASessionTheRelayDoesNotWait(_ event: String) async throws {
        var times: [Duration] = []
        while times.count < 5, times.last.map({ $0 >= .seconds(1) }) ?? true {
            let daemon = try ScriptedDaemon([
                {
                    while kill($0.process, 0) == 0 { $0.take(5) }
                    $0.readRequest()
                }
            ])
            let options = ["--socket", daemon.path, "--observe"]
            let began = ContinuousClock.now
            let outcome = await runRelay(options, input: #"{"hook_event_name":\#(event)}"#)
            times.append(ContinuousClock.now - began)
            #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
            _ = await daemon.received
        }
        #expect(times.contains { $0 < .seconds(1) })
    }

    /// What a person changed is told to the model; else nothing is printed.
    @Test(arguments: [(AnswerTests.allow, true), ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", false)])
    func afterAToolRanTheAnswerIsPrinted(_ answer: String, _ isPrinted: Bool) async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.answer(answer)
            }
        ])
        let options = ["--socket", daemon.path, "--observe"]
        let outcome = await runRelay(options, input: #"{"hook_event_name":"PostToolUse"}"#)
        #expect(outcome.status == 0 && outcome.output.isEmpty != isPrinted && outcome.errors == "")
        _ = await daemon.received
    }

    /// A large event takes the daemon long to read, and Claude Code need not wait for that.
    @Test func afterAToolRanTheRelayLeavesOnceNoWordsWillCome() async throws {
        var times: [Duration] = []
        // A busy machine may delay one relay; a relay that waits takes a second each time.
        while times.count < 5, times.last.map({ $0 >= .seconds(1) }) ?? true {
            let daemon = try ScriptedDaemon([
                {
                    $0.readRequest()
                    $0.hold(nil)
                    $0.sayNothingComes()
                    while kill($0.process, 0) == 0 { $0.take(5) }
                }
            ])
            let began = ContinuousClock.now
            let outcome = await runRelay(
                ["--socket", daemon.path, "--observe"], input: #"{"hook_event_name":"PostToolUse"}"#)
            times.append(ContinuousClock.now - began)
            #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
            _ = await daemon.received
        }
        #expect(times.contains { $0 < .seconds(1) })
    }

    /// The sender has to live at these, whatever the answer says; and a call that asks hears its answer.
    @Test(arguments: [true, false]) func nobodyElseLeavesForThat(_ observes: Bool) async throws {
        let daemon = try ScriptedDaemon([
            {
                $0.readRequest()
                $0.sayNothingComes()
                #expect($0.relayWaits())
                $0.answer(AnswerTests.allow)
            }
        ])
        let options = ["--socket", daemon.path] + (observes ? ["--observe"] : [])
        let event = observes ? #""SessionEnd","reason":"clear""# : #""PreToolUse""#
        let outcome = await runRelay(options, input: #"{"hook_event_name":\#(event)}"#)
        #expect(outcome.status == 0 && outcome.output == (observes ? "" : AnswerTests.allow) && outcome.errors == "")
        _ = await daemon.received
    }

    @Test func aDaemonThatIsSilentAtTheEndOfASessionIsGivenUp() async throws {
        let daemon = try ScriptedDaemon([{ while kill($0.process, 0) == 0 { $0.take(5) } }])
        let options = ["--socket", daemon.path, "--observe", "--first-byte-ms", "100"]
        let outcome = await runRelay(options, input: #"{"hook_event_name":"SessionEnd","reason":"clear"}"#)
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
        _ = await daemon.received
    }

    @Test func aLargeEventArrivesWhole() async throws {
        let input = preToolUse + String(repeating: "0123456789abcdef", count: 5 * 65536)
        let daemon = try ScriptedDaemon([{ $0.readRequest() }])
        let options = ["--socket", daemon.path, "--observe", "--first-byte-ms", "30000"]
        let outcome = await runRelay(options, input: input)
        #expect(outcome.status == 0)
        #expect(await daemon.received.map(\.body) == [Array(input.utf8)])
    }

    /// The daemon's answer is never printed: at some events Claude Code would add it to the conversation.
    @Test func anAnswerIsNotPrinted() async throws {
        let input = preToolUse + String(repeating: " ", count: 1 << 20)
        let daemon = try ScriptedDaemon([
            {
                $0.answer(AnswerTests.allow)
                $0.readRequest()
            }
        ])
        let outcome = await runRelay(["--socket", daemon.path, "--observe"], input: input)
        #expect(outcome.output == "" && outcome.status == 0)
        _ = await daemon.received
    }

    @Test func aDaemonThatDoesNotReadIsGivenUp() async throws {
        let input = preToolUse + String(repeating: " ", count: 4 << 20)
        let daemon = try ScriptedDaemon([{ while kill($0.process, 0) == 0 { $0.take(5) } }])
        let outcome = await runRelay(["--socket", daemon.path, "--observe", "--first-byte-ms", "100"], input: input)
        #expect(outcome.status == 0)
        #expect(outcome.output == "" && outcome.errors == "")
        _ = await daemon.received
    }

    @Test(arguments: [0, 100, (10 << 20) + 1])
    func whatCannotBeToldIsLeftOut(_ length: Int) async throws {
        let input = String(repeating: " ", count: length)
        for failure in ["continue", "block"] {
            let options = ["--observe", "--socket", "/nonexistent/cdev.sock", "--on-failure", failure]
            let outcome = await runRelay(options, input: input)
            #expect(outcome.status == 0)
            #expect(outcome.output == "" && outcome.errors == "")
        }
    }
}
