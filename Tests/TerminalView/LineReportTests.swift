import OrderedJSON
import TerminalView
import Testing

@Suite struct LineReportTests {
    @Test func aRequestIsALineAndWhatWouldRun() throws {
        let card = try #require(Card(Made.bash("r_1", "a\n\u{1B}[31mb")))
        let text = LineReport(charset: .utf8).arrived(card, id: "r_1", left: "58 s left", time: "14:03:22")
        #expect(text.hasPrefix("14:03:22  r_1  asks: Bash, 58 s left\n    for proj, session 01234567\n"))
        #expect(text.contains("    │ a\n    │ \\u{001B}[31mb\n"))
    }

    @Test func nothingIsWrapped() throws {
        let command = String(repeating: "word ", count: 5000)
        let card = try #require(Card(Made.bash("r_1", command)))
        let text = LineReport(charset: .ascii).arrived(card, id: "r_1", left: "", time: "14:03:22")
        #expect(text.hasPrefix("14:03:22  r_1  asks: Bash\n") && text.contains("    | \(command)\n"))
    }

    @Test func anEndSaysWho() {
        var end = Made.end("r_1", "deny").objectValue ?? [:]
        end["tool_name"] = "Bash"
        end["target"] = "ls\u{7}"
        #expect(
            LineReport(charset: .utf8).ended(.object(end), id: "r_1", time: "14:03:22")
                == "14:03:22  r_1  ended: denied by phone: Bash ls\\u{0007}\n")
    }

    @Test func whatIsAnnouncedCannotActOnTheTerminal() throws {
        let announcement = try #require(Announcement(event: "agent_refused", ["pid": 7, "method": "x\u{1B}"]))
        #expect(
            LineReport(charset: .utf8).note(announcement.text, time: "14:03:22")
                == "14:03:22  refused: process 7 inside an agent tried x\\u{001B}\n")
    }

    @Test func whatNamesNoRequestIsNoCard() {
        #expect(Card([:]) == nil && Card(["request_id": ""]) == nil && Card("x") == nil)
    }
}
