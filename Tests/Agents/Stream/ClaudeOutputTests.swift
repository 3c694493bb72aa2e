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

    @Test func aRetryIsTold() {
        let line =
            #"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":518,"error_status":529,"error":"overloaded"}"#
        #expect(output(line) == .retry(attempt: 1, of: 10))
    }
}
