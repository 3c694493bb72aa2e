import Core
import OrderedJSON
import TestSupport
import Testing

/// A card says why the call is made: the session's title, its user's last prompt, and the agent's last words.
@Suite struct CallContextTests {
    private func hook(
        _ name: HookEventName, session: String = "s1", agent: String? = nil, prompt: String? = nil,
        title: String? = nil, isReport: Bool = false, transcript: String = "/t/s1.jsonl"
    ) -> AgentEvent {
        var details = AgentEvent.Details()
        details.prompt = prompt
        details.title = title
        details.isReport = isReport
        details.transcriptPath = transcript
        return AgentEvent(
            name: name, sessionID: session, cwd: "/p", promptID: "p1", permissionMode: .default, agentID: agent,
            agentType: nil,
            tool: name == .preToolUse
                ? ToolCall(name: "Bash", input: ["command": "touch x"], useID: "toolu_1") : nil,
            details: details, sent: [:])
    }

    private func card(_ stage: Stage) -> CallContext? {
        stage.events.compactMap { event in
            if case .permission(let request) = event.body { request.context } else { nil }
        }.last
    }

    @Test func theCardHasTitlePromptAndLastWords() {
        var stage = Stage()
        stage.send(hook(.sessionStart, title: "my title"))
        stage.send(hook(.userPromptSubmit, prompt: "make x"))
        let waiter = stage.send(hook(.preToolUse))
        #expect(
            stage.transcripts["r_1"]
                == TranscriptQuery(path: "/t/s1.jsonl", sessionID: "s1", agentID: nil, toolUseID: "toolu_1"))
        #expect(stage.holds[waiter] != nil && stage.cards.isEmpty)
        stage.perform(stage.state.explained("r_1", by: TranscriptEnd(lastWords: "I make x now."), at: stage.now.wall))
        #expect(stage.cards == ["r_1/1"])
        #expect(card(stage) == CallContext(title: "my title", prompt: "make x", lastWords: "I make x now."))
        #expect(stage.pending.map(\.context.lastWords) == ["I make x now."])
    }

    @Test func anAnswerDoesNotWaitForTheTranscript() {
        var stage = Stage()
        let waiter = stage.send(hook(.preToolUse))
        stage.respond("r_1", .deny)
        #expect(stage.cards == ["r_1/1"] && stage.answers[waiter]?.count == 1)
        stage.perform(stage.state.explained("r_1", by: TranscriptEnd(lastWords: "late"), at: stage.now.wall))
        #expect(stage.cards == ["r_1/1"])
    }

    /// The transcript may be read before the request is written.
    @Test func theCardWaitsForBoth() {
        var stage = Stage()
        stage.commitsAtOnce = false
        stage.send(hook(.preToolUse))
        stage.perform(stage.state.explained("r_1", by: nil, at: stage.now.wall))
        #expect(stage.cards.isEmpty)
        stage.settleCommits()
        #expect(stage.cards == ["r_1/1"] && card(stage) == CallContext())
    }

    /// The request's row has no context. The next daemon gathers it again, also where no rule is in force.
    @Test func aRestartGathersItAgain() {
        var before = Stage()
        before.send(hook(.userPromptSubmit, prompt: "make x"))
        before.send(hook(.preToolUse))
        let remembered = Remembered(
            requests: before.pending, sessions: before.state.sessionViews(at: before.now).map(\.session),
            nextSequence: 500)
        var stage = Stage()
        stage.now = before.now + 1
        stage.perform(stage.state.restore(remembered, at: stage.now))
        #expect(stage.transcripts["r_1"]?.path == "/t/s1.jsonl")
        #expect(stage.state.request(id: "r_1")?.context.prompt == "make x")
    }

    /// Thousands may be open, and nobody reads the words on so many cards.
    @Test func aRestartReadsTheTranscriptsOfTheLatest() {
        var stage = Stage()
        stage.send(hook(.userPromptSubmit, prompt: "make x"))
        for number in 0..<80 {
            let source = HookSource(relayToken: "k\(number)", bodyDigest: [1])
            stage.send(hook(.preToolUse, session: "s\(number % 2)"), from: source)
        }
        stage.writeAppended()
        stage.kill()
        let open = stage.pending.map(\.id)
        #expect(open.count == 80 && stage.transcripts.keys.sorted() == open.suffix(64).sorted())
    }

    @Test func aTitleInTheTranscriptIsTheSessions() {
        var stage = Stage()
        stage.send(hook(.preToolUse))
        stage.perform(stage.state.explained("r_1", by: TranscriptEnd(title: "renamed"), at: stage.now.wall))
        #expect(card(stage)?.title == "renamed")
        #expect(stage.state.sessionViews(at: stage.now).map(\.session.title) == ["renamed"])
    }

    @Test func reportsSubagentsAndStrangersPromptNothing() {
        var stage = Stage()
        stage.send(hook(.userPromptSubmit, prompt: "make x"))
        stage.send(hook(.userPromptSubmit, prompt: "<task-notification>", isReport: true))
        stage.send(hook(.userPromptSubmit, agent: "a1", prompt: "inner"))
        stage.send(hook(.userPromptSubmit, prompt: "strange", title: "strange"), from: HookSource(isVerified: false))
        stage.send(hook(.preToolUse, transcript: ""))
        #expect(stage.pending.map(\.context) == [CallContext(prompt: "make x")])
    }

    @Test func aStrangersCardSaysNothingAndReadsNothing() {
        var stage = Stage()
        stage.send(hook(.userPromptSubmit, prompt: "make x"))
        stage.send(hook(.preToolUse), from: HookSource(isVerified: false))
        #expect(stage.transcripts.isEmpty && card(stage) == CallContext())
    }

    static let texts: [(text: String, beginning: String?, end: String?)] = [
        ("", nil, nil), (" \n\t ", nil, nil), (" a\nb ", "a\nb", "a\nb"),
        ("a\u{202E}b\u{7}", "a\u{FFFD}b\u{FFFD}", "a\u{FFFD}b\u{FFFD}"),
        (String(repeating: "x", count: 500), String(repeating: "x", count: 500), String(repeating: "x", count: 500)),
        (
            "a" + String(repeating: "x", count: 3_000_000) + "z", "a" + String(repeating: "x", count: 498) + "…",
            "…" + String(repeating: "x", count: 498) + "z"
        ),
        // One character for a reader, and many scalars.
        (
            "e" + String(repeating: "\u{301}", count: 600), "e" + String(repeating: "\u{301}", count: 498) + "…",
            "…" + String(repeating: "\u{301}", count: 499)
        ),
    ]

    @Test(arguments: texts) func isShort(text: String, beginning: String?, end: String?) {
        #expect(
            CallContext.beginning(of: text).map { Array($0.unicodeScalars) }
                == beginning.map { Array($0.unicodeScalars) })
        #expect(CallContext.end(of: text).map { Array($0.unicodeScalars) } == end.map { Array($0.unicodeScalars) })
    }

    /// A device may name any file of the user's, and who may look at cards sees its words.
    @Test func noTranscriptThatADeviceNamesIsRead() {
        var stage = Stage()
        stage.sendFromDevice(hook(.preToolUse))
        #expect(stage.transcripts.isEmpty && stage.pending.count == 1)
    }
}
