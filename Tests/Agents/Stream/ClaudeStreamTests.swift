import Agents
import Core
import OrderedJSON
import Testing

/// Lines as Claude Code 2.1.330 printed them, shortened where they are long.
@Suite struct ClaudeStreamTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let text: String
        let event: ChildEvent
        var testDescription: String { String(text.prefix(60)) }

        init(_ text: String, _ event: ChildEvent) {
            (self.text, self.event) = (text, event)
        }
    }

    static func stream() -> ClaudeStream {
        ClaudeStream(agentID: "669b52a1-ff54-426a-b8cf-1f766060ac04", mode: .default)
    }

    static let lines: [Line] = [
        Line(
            #"{"type":"control_response","response":{"subtype":"success","request_id":"cdev-1-1","response":{"commands":[],"session_state":"idle"},"pending_permission_requests":[]}}"#,
            .answered(request: "cdev-1-1", failure: nil)),
        Line(
            #"{"type":"control_response","response":{"subtype":"error","request_id":"q3","error":"Unsupported control request subtype: nonsense","error_code":"unsupported_request"}}"#,
            .answered(request: "q3", failure: "Unsupported control request subtype: nonsense")),
        Line(
            #"{"type":"system","subtype":"session_state_changed","state":"running","uuid":"55bbdb88-d245-4f3a-a1e4-94125b22a41f","session_id":"669b52a1-ff54-426a-b8cf-1f766060ac04"}"#,
            .state(.running)),
        Line(#"{"type":"system","subtype":"session_state_changed","state":"requires_action"}"#, .state(.asking)),
        Line(#"{"type":"system","subtype":"session_state_changed","state":"idle"}"#, .state(.idle)),
        Line(#"{"type":"system","subtype":"session_state_changed","state":"resting"}"#, .other),
        Line(
            #"{"type":"command_lifecycle","command_uuid":"da64b497-318d-449a-923c-38d3f3f130a1","state":"queued","uuid":"7cd7d701-ef91-44ee-bc0f-dbd27e110a0f"}"#,
            .promptState(id: "da64b497-318d-449a-923c-38d3f3f130a1", .queued)),
        Line(
            #"{"type":"command_lifecycle","command_uuid":"p","state":"completed"}"#, .promptState(id: "p", .completed)),
        Line(
            #"{"type":"system","subtype":"init","cwd":"/p","session_id":"a1","tools":["Task"],"model":"claude-opus-5-5","permissionMode":"plan","claude_code_version":"2.1.330"}"#,
            .turn(TurnFacts(agentID: "a1", mode: .plan, model: "claude-opus-5-5"))),
        Line(
            #"{"type":"system","subtype":"status","status":null,"permissionMode":"plan","uuid":"d17d55ff"}"#,
            .mode(.plan)),
        Line(#"{"type":"system","subtype":"status","status":"requesting","user_message_uuids":["da64b497"]}"#, .other),
        Line(
            #"{"type":"user","message":{"role":"user","content":"go"},"parent_tool_use_id":null,"uuid":"da64b497","timestamp":"2026-11-25T14:42:49.209Z","isReplay":true}"#,
            .promptEcho("da64b497")),
        Line(
            #"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_7","type":"tool_result","content":"","is_error":false}]},"uuid":"3ecfa6ca"}"#,
            .other),
        Line(#"{"type":"result","subtype":"success","is_error":false,"result":"done","num_turns":2}"#, .result),
        Line(#"{"type":"control_cancel_request","request_id":"r1"}"#, .withdrawn(request: "r1")),
        Line(
            #"{"type":"conversation_reset","new_conversation_id":"a2","trigger":"clear"}"#, .conversation("a2")),
        Line(
            #"{"type":"system","subtype":"task_started","task_id":"a03","tool_use_id":"toolu_1","task_type":"local_bash","is_backgrounded":true}"#,
            .taskStarted("a03")),
        Line(
            #"{"type":"system","subtype":"task_notification","task_id":"a03","status":"completed"}"#, .taskEnded("a03")),
        Line(
            #"{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"a"},{"task_id":"b"}]}"#,
            .backgroundTasks(["a", "b"])),
        Line(#"{"type":"system","subtype":"session_title_changed","title":"My title"}"#, .title("My title")),
        Line(
            #"{"type":"control_request","request_id":"r2","request":{"subtype":"mcp_message","server_name":"s"}}"#,
            .unsupported(request: "r2")),
        // A question without a tool denies the call, and does not wait for ever.
        Line(
            #"{"type":"control_request","request_id":"r3","request":{"subtype":"can_use_tool","input":{}}}"#,
            .unsupported(request: "r3")),
        Line(#"{"type":"control_request","request_id":"r4"}"#, .unsupported(request: "r4")),
        Line(#"{"type":"control_request","request":{"subtype":"can_use_tool"}}"#, .other),
        Line(#"{"type":"of_tomorrow","session_id":"a1"}"#, .other),
        Line("", .other), Line("null", .other), Line("[]", .other), Line("{\"type\":\"result\"", .other),
        Line("node: warning: something", .other),
    ]

    @Test(arguments: lines)
    func meansOneThing(_ line: Line) {
        var stream = Self.stream()
        #expect(stream.read(Array(line.text.utf8)).event == line.event)
    }

    private static let question =
        #"{"type":"control_request","request_id":"531aca5b","request":{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash","input":{"command":"touch a","description":"d"},"description":"d","permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}],"decision_reason":"Path is outside","blocked_path":"/p/a","tool_use_id":"toolu_75"}}"#
    private static let callback =
        #"{"type":"control_request","request_id":"fb972ae7","request":{"subtype":"hook_callback","callback_id":"cdev","input":{"session_id":"669b52a1","transcript_path":"/c/669b52a1.jsonl","cwd":"/p","prompt_id":"10beff38","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"touch a"},"tool_use_id":"toolu_75"},"tool_use_id":"toolu_75"}}"#

    @Test func aQuestionIsReadAsTheHookBesideTheDialog() throws {
        var stream = Self.stream()
        _ = stream.read(
            Array(#"{"type":"system","subtype":"init","cwd":"/p","session_id":"a2","permissionMode":"plan"}"#.utf8))
        guard case .asked(let request) = stream.read(Array(Self.question.utf8)).event else {
            Issue.record("it was not read")
            return
        }
        #expect(request.id == "531aca5b" && request.kind == .permission)
        #expect(request.reason == "Path is outside")
        #expect(request.suggestions?.value[0]?["mode"] == "acceptEdits")
        let event = request.event
        #expect(event.name == .permissionRequest && event.sessionID == "a2")
        #expect(event.permissionMode == .plan && event.agentID == nil)
        #expect(event.tool?.name == "Bash" && event.tool?.kind == .shellCommand && event.tool?.useID == "toolu_75")
        #expect(event.tool?.input == ["command": "touch a", "description": "d"])
    }

    /// A command may leave the directory in which the turn began.
    @Test func aCallRunsWhereTheCallbackBeforeItSays() {
        var stream = Self.stream()
        let asked = { (event: ChildEvent) -> String? in
            if case .asked(let request) = event { request.event.cwd } else { nil }
        }
        #expect(asked(stream.read(Array(Self.question.utf8)).event) == "", "nobody knows, so no rule allows it")
        let moved = Self.callback.replacing(#""cwd":"/p""#, with: #""cwd":"/p/sub""#)
        #expect(asked(stream.read(Array(moved.utf8)).event) == "/p/sub")
        #expect(asked(stream.read(Array(Self.question.utf8)).event) == "/p/sub")
        let other = Self.question.replacing("toolu_75", with: "toolu_76")
        #expect(asked(stream.read(Array(other.utf8)).event) == "")
        #expect(asked(stream.question(Array(other.utf8), in: "/q")) == "/q")
        for number in 0..<2000 {
            _ = stream.read(Array(moved.replacing("toolu_75", with: "toolu_n\(number)").utf8))
        }
        #expect(asked(stream.read(Array(Self.question.utf8)).event) == "", "not kept for ever")
    }

    @Test func aCallbackIsReadAsTheHookBeforeTheCall() {
        var stream = Self.stream()
        guard case .asked(let request) = stream.read(Array(Self.callback.utf8)).event else {
            Issue.record("it was not read")
            return
        }
        #expect(request.id == "fb972ae7" && request.kind == .callback)
        #expect(request.event.name == .preToolUse && request.event.promptID == "10beff38")
        #expect(request.event.sessionID == "669b52a1-ff54-426a-b8cf-1f766060ac04", "whatever session it names")
        #expect(request.event.tool?.useID == "toolu_75")
    }

    /// Of a line that is cut anywhere no question is made, and nothing else that has a part missing.
    @Test func aCutLineMeansNothing() {
        for line in [Self.question, Self.callback] + Self.lines.map(\.text) {
            let bytes = Array(line.utf8)
            for end in bytes.indices {
                var stream = Self.stream()
                #expect(stream.read(Array(bytes[..<end])).event == .other, "\(line.prefix(end))")
            }
        }
    }

    /// Claude Code waits for each answer: a question of too many values to be read is refused.
    @Test func aQuestionThatIsTooLargeIsRefused() {
        var stream = Self.stream()
        let list = "[" + String(repeating: "1,", count: 100_001) + "1]"
        let line =
            #"{"type":"control_request","request_id":"r9","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"a":\#(list)}}}"#
        #expect(stream.read(Array(line.utf8)).event == .unsupported(request: "r9"))
        #expect(stream.read(Array(#"{"type":"assistant","list":\#(list)}"#.utf8)).event == .other)
    }

    @Test func aLineOfManyMegabytesIsRead() {
        var stream = Self.stream()
        let data = String(repeating: "A", count: 8 << 20)
        let line =
            #"{"type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"\#(data)"}}]},"uuid":"u1","isReplay":true}"#
        #expect(stream.read(Array(line.utf8)).event == .promptEcho("u1"))
    }
}

extension JSON {
    fileprivate subscript(index: Int) -> JSON? { arrayValue.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
}
