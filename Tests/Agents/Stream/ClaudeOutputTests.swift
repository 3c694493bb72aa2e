import Agents
import Core
import OrderedJSON
import Testing

/// What people are shown of the stream.
@Suite struct ClaudeOutputTests {
    private func output(_ line: String) -> ChildOutput? {
        var stream = ClaudeStreamTests.stream()
        return stream.read(Array(line.utf8)).output
    }

    @Test func textArrivesInPieces() {
        let line =
            #"{"type":"stream_event","event":{"index":0,"delta":{"type":"text_delta","text":"done"},"type":"content_block_delta"},"session_id":"a1","parent_tool_use_id":null,"uuid":"27adf5cc"}"#
        #expect(output(line) == .delta(ChildDelta(kind: .text, text: "done")))
        let thought = #"{"type":"stream_event","event":{"delta":{"type":"thinking_delta","thinking":"hm"}}}"#
        #expect(output(thought) == .delta(ChildDelta(kind: .thinking, text: "hm")))
        let input =
            #"{"type":"stream_event","event":{"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}}"#
        #expect(output(input) == nil)
    }

    @Test func aCallBeginsBeforeItsInput() {
        let event = #"{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":"#
        func start(_ block: String) -> ChildOutput? { output(event + block + "}}") }
        #expect(
            start(#"{"type":"tool_use","id":"toolu_75","name":"Bash","input":{}}"#)
                == .call(ChildCall(id: "toolu_75", tool: .claude("Bash"))))
        for odd in [
            "7", #"{"type":"text","text":""}"#, #"{"type":"tool_use","name":"Bash"}"#,
            #"{"type":"tool_use","id":7,"name":"Bash"}"#, #"{"type":"tool_use","id":"t","name":""}"#,
            #"{"type":"server_tool_use","id":"t","name":"web_search"}"#,
        ] {
            #expect(start(odd) == nil, "\(odd)")
        }
    }

    @Test func aMessageHasTheFormThatItHasInTheTranscript() {
        let line =
            #"{"type":"assistant","message":{"id":"msg_8bb0","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"toolu_75","name":"Bash","input":{"command":"touch a"}}],"stop_reason":null},"parent_tool_use_id":null,"session_id":"a1","uuid":"2eb05cff","timestamp":"2026-11-25T14:42:49.306Z"}"#
        guard case .message(let message) = output(line) else {
            Issue.record("it was not read")
            return
        }
        #expect(message.kind == .assistant && message.uuid == "2eb05cff")
        #expect(message.tools["Bash"]?.kind == .shellCommand)
        #expect(message.message["content"]?.arrayValue?.count == 1)
    }

    @Test func aTurnEnds() {
        let line =
            #"{"type":"result","subtype":"success","is_error":true,"terminal_reason":"aborted_tools","result":"API Error: 400","total_cost_usd":0.00048,"api_error_status":400}"#
        #expect(
            output(line)
                == .turnEnd(TurnEnd(reason: "aborted_tools", isError: true, text: "API Error: 400", cost: 0.00048)))
        let unknown =
            #"{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found with session ID: x"]}"#
        #expect(
            output(unknown)
                == .turnEnd(
                    TurnEnd(
                        reason: "error_during_execution", isError: true,
                        text: "No conversation found with session ID: x", cost: nil)))
    }

    /// Else an agent has everybody wait while they are sent, and the mode of its session with each later change.
    @Test func namesAndIDsAreNoLongerThanRealOnes() {
        let long = String(repeating: "x", count: 1 << 20)
        var stream = ClaudeStreamTests.stream()
        for line in [
            #"{"type":"system","subtype":"status","permissionMode":"\#(long)"}"#,
            #"{"type":"system","subtype":"init","session_id":"a1","permissionMode":"\#(long)"}"#,
        ] {
            guard let mode = Self.mode(of: stream.read(Array(line.utf8)).event) else {
                Issue.record("it was not read")
                continue
            }
            #expect(mode.spelling.utf8.count == 256 && !mode.isUsual)
        }
        guard case .turnEnd(let end) = output(#"{"type":"result","result":"r","terminal_reason":"\#(long)"}"#) else {
            Issue.record("it was not read")
            return
        }
        #expect(end.reason.isEmpty && end.text == "r")
        let message = #""type":"assistant","message":{"role":"assistant","content":[]}"#
        #expect(output(#"{"uuid":"\#(long)",\#(message)}"#) == nil)
        guard case .message(let answer) = output(#"{"uuid":"u","parentUuid":"\#(long)",\#(message)}"#) else {
            Issue.record("it was not read")
            return
        }
        #expect(answer.parent == nil)
    }

    private static func mode(of event: ChildEvent) -> PermissionMode? {
        switch event {
        case .mode(let mode): mode
        case .turn(let facts): facts.mode
        default: nil
        }
    }

    /// What is encoded on the loop is measured by it.
    @Test func aChangeCountsInTheSizeOfItsMessage() {
        let text = String(repeating: "x", count: 100_000)
        let line =
            #"{"type":"user","uuid":"u","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]},"#
            + #""tool_use_result":{"filePath":"/a","structuredPatch":[{"oldStart":1,"newStart":1,"lines":["+\#(text)"]}]}}"#
        guard case .message(let message) = output(line) else {
            Issue.record("it was not read")
            return
        }
        #expect(message.change != nil && LiveEvent.Body.transcriptMessage(message).size > 100_000)
    }

    /// Its words are for the agent that called it.
    @Test(arguments: [("null", false), (#""toolu_1""#, true)])
    func aSubagentsMessageIsToldFromTheAgents(parent: String, isOfSubagent: Bool) {
        let line =
            #"{"type":"assistant","uuid":"u","parent_tool_use_id":\#(parent),"message":{"role":"assistant","content":[]}}"#
        guard case .message(let message) = output(line) else {
            Issue.record("it was not read")
            return
        }
        #expect(message.flags.contains(.sidechain) == isOfSubagent)
    }

    @Test func theTokensOfATurnAreCounted() {
        func tokens(_ usage: String) -> TokenUse? {
            guard case .turnEnd(let end) = output(#"{"type":"result","is_error":false,"usage":\#(usage)}"#) else {
                return nil
            }
            return end.tokens
        }
        let usage =
            #"{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,"output_tokens":7}"#
        #expect(tokens(usage) == TokenUse(input: 3210, output: 7))
        #expect(tokens(#"{"input_tokens":-1,"output_tokens":7}"#) == nil)
        #expect(tokens("[]") == nil && tokens("7") == nil)
    }

    @Test func theContextIsThatOfTheLastAnswerOfTheMainAgent() {
        var stream = ClaudeStreamTests.stream()
        for line in [
            #"{"type":"assistant","message":{"content":[],"usage":{"input_tokens":3,"cache_creation_input_tokens":200,"cache_read_input_tokens":1000,"output_tokens":7}},"parent_tool_use_id":null}"#,
            #"{"type":"assistant","message":{"content":[],"usage":{"input_tokens":9}},"parent_tool_use_id":"toolu_1"}"#,
        ] { _ = stream.read(Array(line.utf8)) }
        let end =
            #"{"type":"result","is_error":false,"modelUsage":{"small":{"contextWindow":200},"large":{"contextWindow":1000000}}}"#
        guard case .turnEnd(let turn) = stream.read(Array(end.utf8)).output else {
            Issue.record("no turn has ended")
            return
        }
        #expect(turn.context == ContextUse(tokens: 1210, window: 1_000_000))
    }

    @Test func whatIsOfferedIsRead() {
        let line =
            #"{"type":"control_response","response":{"subtype":"success","request_id":"cdev-1-1","response":{"commands":[{"name":"compact","description":"Short\nand long","argumentHint":"[what]","builtin":true},{"description":"nameless"}],"models":[{"value":"opus","displayName":"Opus","description":"large","resolvedModel":"claude-opus-5-5","supportedEffortLevels":["low","high",7]},{"value":"x"}],"account":{}}}}"#
        #expect(
            output(line)
                == .offer(
                    AgentOffer(
                        models: [
                            AgentOffer.Model(
                                value: "opus", name: "Opus", description: "large", resolved: "claude-opus-5-5",
                                efforts: ["low", "high"]),
                            AgentOffer.Model(value: "x", name: "x", description: ""),
                        ],
                        commands: [
                            AgentOffer.Command(name: "compact", description: "Short\nand long", argumentHint: "[what]")
                        ])))
        #expect(output(#"{"type":"control_response","response":{"request_id":"x","response":{"models":[]}}}"#) == nil)
    }

    @Test func aRetryIsTold() {
        let line =
            #"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":518,"error_status":529,"error":"overloaded"}"#
        #expect(output(line) == .retry(attempt: 1, of: 10))
    }
}
