import Core
import OrderedJSON
import TerminalView
import Testing

@Suite struct LineReportTests {
    private static let now = Timestamp(milliseconds: Stage.start)
    private static let time = now.rfc3339

    @Test func aRequestIsALineAndWhatWouldRun() throws {
        let card = try #require(Card(Made.bash("r_1", "a\n\u{1B}[31mb")))
        let text = LineReport(charset: .utf8).arrived(card, at: Self.now)
        let until = try #require(card.deadline).rfc3339
        #expect(text.hasPrefix("\(Self.time)  r_1  asks: Bash, until \(until)\n    for proj, session 01234567\n"))
        #expect(text.contains("    │ a\n    │ \\u{001B}[31mb\n"))
    }

    @Test func nothingIsWrapped() throws {
        let command = String(repeating: "word ", count: 5000)
        let card = try #require(Card(Made.bash("r_1", command)))
        #expect(LineReport(charset: .ascii).arrived(card, at: Self.now).contains("    | \(command)\n"))
    }

    @Test func anEndSaysWho() {
        var end = Made.end("r_1", "deny").objectValue ?? [:]
        end["tool_name"] = "Bash"
        end["target"] = "ls\u{7}"
        #expect(
            LineReport(charset: .utf8).ended(.object(end), at: Self.now)
                == "\(Self.time)  r_1  ended: denied by device phone: Bash ls\\u{0007}\n")
    }

    @Test func whatIsAnnouncedCannotActOnTheTerminal() throws {
        let announcement = try #require(Announcement(event: "agent_refused", ["pid": 7, "method": "x\u{1B}"]))
        #expect(
            LineReport(charset: .utf8).note(announcement.text, at: Self.now)
                == "\(Self.time)  refused: process 7 inside an agent tried x\\u{001B}\n")
    }

    @Test func whatNamesNoRequestIsNoCard() {
        #expect(Card([:]) == nil && Card(["request_id": ""]) == nil && Card("x") == nil)
    }
}
