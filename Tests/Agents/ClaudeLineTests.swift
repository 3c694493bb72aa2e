import Agents
import Core
import Testing

/// Lines of transcripts, as versions of Claude Code write them, and as no version does.
@Suite struct ClaudeLineTests {
    private func line(_ text: String) -> TranscriptLine {
        var parser = ClaudeLineParser()
        return parser.read(Array(text.utf8))
    }

    @Test func aPromptIsRead() {
        let line = line(
            #"{"parentUuid":"p1","isSidechain":false,"type":"user","message":{"role":"user","content":"fix \"it\"\nnow"},"#
                + #""uuid":"u1","timestamp":"2026-11-25T03:06:23.660Z","cwd":"/w","sessionId":"s1","gitBranch":"main"}"#
        )
        #expect(line.kind == .user && line.isMessage)
        #expect(line.uuid == "u1" && line.parent == "p1" && line.branch == "main" && line.cwd == "/w")
        #expect(line.time == Timestamp(rfc3339: "2026-11-25T03:06:23.660Z"))
        #expect(line.text == "fix \"it\"\nnow\n" && line.flags == [.text])
    }

    @Test(arguments: [
        (#""origin":{"kind":"task-notification","runId":"r"}"#, true), (#""promptSource":"system""#, true),
        (#""origin":{"runId":"r","kind":"peer"}"#, true), (#""origin":{"kind":"human"},"promptSource":"typed""#, false),
        (#""origin":{"kind":"voice-call"},"promptSource":"sdk""#, false),
        (#""origin":"system","promptSource":{}"#, false),
    ]) func aPromptThatNoPersonWroteIsANote(members: String, isNote: Bool) {
        let line = line(#"{"type":"user","message":{"role":"user","content":"x"},"uuid":"u",\#(members)}"#)
        #expect(line.flags == (isNote ? [.meta, .text] : [.text]))
    }

    @Test func theEndOfATaskIsANoteInEveryVersion() {
        let content = "<task-notification>\\n<summary>done</summary>\\n</task-notification>"
        #expect(
            line(#"{"type":"user","uuid":"u","message":{"role":"user","content":"\#(content)"}}"#).flags == [
                .meta, .text,
            ])
    }

    @Test func theTypeOfAnAnswerComesAfterItsMessage() {
        let line = line(
            #"{"message":{"id":"m","model":"opus","role":"assistant","content":[{"type":"text","text":"hé\u00e9 \ud83d\ude00"},"#
                + #"{"id":"toolu_1","input":{"command":"ls /x","n":[1,{"deep":"in"}]},"name":"Run","type":"tool_use"}],"#
                + #""usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5,"x":{"output_tokens":99}}},"#
                + #""type":"assistant","uuid":"a1","requestSessionId":"s0","sessionId":"s1"}"#)
        #expect(line.kind == .assistant && line.model == "opus")
        #expect(line.text == "toolu_1\nhéé 😀\nls /x\nin\nRun\n")
        #expect(line.flags == [.text, .toolUse])
        #expect(line.tokens == TranscriptTokens(input: 7, output: 5))
    }

    @Test func tokensBeyondAllNumbersAreNoEnd() {
        let tokens = Array(repeating: #""input_tokens":720575940379279359"#, count: 20).joined(separator: ",")
        var facts = TranscriptFacts()
        for number in 0..<200 {
            var parser = ClaudeLineParser()
            let text =
                #"{"type":"user","message":{"content":"x","usage":{"output_tokens":999999999999999999,\#(tokens)}},"uuid":"\#(number)"}"#
            facts.take(parser.read(Array(text.utf8)))
        }
        #expect(facts.messages == 200 && facts.tokens.input == .max && facts.tokens.output == .max)
    }

    @Test func tokensOfOneAnswerAreCountedOnce() {
        var parser = ClaudeLineParser()
        func answer(_ uuid: String, _ id: String) -> [UInt8] {
            Array(
                #"{"type":"assistant","message":{"id":"\#(id)","content":[],"usage":{"output_tokens":5}},"uuid":"\#(uuid)"}"#
                    .utf8)
        }
        #expect(
            [("1", "m"), ("2", "m"), ("3", "n")].map { parser.read(answer($0.0, $0.1)).tokens.output } == [5, 0, 5])
    }

    @Test func resultsErrorsAndThoughts() {
        let result = line(
            #"{"type":"user","uuid":"u","message":{"role":"user","content":[{"tool_use_id":"toolu_2","type":"tool_result","#
                + #""content":[{"type":"text","text":"no such file"}],"is_error":true}]},"toolUseResult":{"stdout":"hidden"}}"#
        )
        #expect(result.flags == [.toolResult, .error])
        #expect(result.text == "toolu_2\ntext\nno such file\n")
        let thought = line(
            #"{"type":"assistant","uuid":"u","message":{"content":[{"type":"thinking","thinking":"secret"}]}}"#)
        #expect(thought.flags == [.thinking] && thought.text.isEmpty)
    }

    @Test func whatIsSpecialAboutALine() {
        #expect(
            line(#"{"type":"user","uuid":"u","isMeta":true,"message":{"content":"x"}}"#).flags == [.meta, .text])
        #expect(
            line(#"{"type":"user","uuid":"u","isCompactSummary":true,"isSidechain":true,"message":{"content":"x"}}"#)
                .flags
                == [.compaction, .sidechain, .text])
        let clear = line(
            #"{"type":"user","uuid":"u","message":{"content":"<command-name>/clear</command-name>\n <x>"}}"#)
        #expect(clear.flags == [.clear, .text])
        let queued = line(
            #"{"parentUuid":null,"attachment":{"type":"queued_command","prompt":"and this"},"type":"attachment","uuid":"q"}"#
        )
        #expect(queued.kind == .user && queued.flags == [.queued, .text] && queued.text == "and this\n")
        #expect(
            line(#"{"parentUuid":null,"logicalParentUuid":"l","type":"user","uuid":"u","message":{}}"#).parent == "l")
    }

    @Test(arguments: [
        (#"{"type":"ai-title","aiTitle":"A title"}"#, TranscriptLine.About.summary("A title")),
        (#"{"type":"custom-title","customTitle":"Mine"}"#, .name("Mine")),
        (#"{"type":"summary","summary":"Old form","leafUuid":"x"}"#, .summary("Old form")),
        (#"{"type":"cost-state","sessionId":"s","totalCostUSD":0.0024000000000000002}"#, .cost(2400)),
        (#"{"type":"queue-operation","operation":"enqueue","content":"/clear"}"#, .cleared),
    ])
    func factsAboutTheSession(_ text: String, _ about: TranscriptLine.About) {
        #expect(line(text).about == about)
        #expect(!line(text).isMessage)
    }

    @Test func copiedLinesNameTheirSession() {
        let text =
            #"{"requestSessionId":"s0","type":"assistant","uuid":"u","message":{"content":[]},"sessionId":"s1"}"#
        #expect(line(text).about == .forked(from: "s0"))
        #expect(
            line(#"{"forkedFrom":{"sessionId":"s9"},"type":"user","uuid":"u","message":{}}"#).about
                == .forked(from: "s9"))
    }

    /// Nothing of these is a message, and none of them is an error.
    @Test(arguments: [
        "", " ", "{", "{}", "[]", "null", "not json", #"{"type":"user"}"#, #"{"type":"user","uuid":7,"message":{}}"#,
        #"{"type":"from-the-future","uuid":"u","message":{"content":"x"}}"#, #"{"type":"user","uuid":"u"#,
        #"{"type":"system","subtype":"compact_boundary","uuid":"u","content":"Conversation compacted"}"#,
        #"{"type":"attachment","attachment":{"type":"date"},"uuid":"u"}"#, "\u{0}\u{0}\u{0}", #"{"a":"\"#,
        #"{"a":"\u12"#,
        String(repeating: "[", count: 100_000), #"{"message":"# + String(repeating: #"{"content":"#, count: 5000),
        #"{"type":"assistant","message":{"content":[{"type":"text","text":"cut off"#,
    ])
    func otherLines(_ text: String) {
        #expect(!line(text).isMessage)
    }

    @Test func bytesThatAreNotUTF8AreReplaced() {
        var parser = ClaudeLineParser()
        let bytes =
            Array(#"{"type":"user","uuid":"u","message":{"content":"a"#.utf8) + [0xFF, 0xFE, 0x00] + Array("b\"}}".utf8)
        #expect(parser.read(bytes).text == "a\u{FFFD}\u{FFFD}\u{0}b\n")
    }

    @Test func aLineMayEndInACarriageReturn() {
        #expect(line(#"{"type":"user","uuid":"u","message":{"content":"x"}}"# + "\r").isMessage)
    }

    @Test func longTextsAreCut() {
        let long = String(repeating: "wörd ", count: 50_000)
        let line = line(#"{"type":"user","uuid":"u","message":{"content":"\#(long)"}}"#)
        #expect(line.text.utf8.count <= TranscriptLine.longestText + 8)
        let picture = self.line(
            #"{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"source":{"data":"iVBORw0KGgo"}}]}]}}"#
        )
        #expect(picture.text == "t\n")
    }
}
