import Agents
import Core
import OrderedJSON
import Testing

/// What is written to Claude Code, in the forms that 2.1.330 took.
@Suite struct ClaudeStreamInputTests {
    private static let inputs: [(ChildInput, String)] = [
        (
            .prompt(id: "u1", blocks: [.text("hi\nyou")]),
            #"{"type":"user","message":{"role":"user","content":"hi\nyou"},"uuid":"u1","parent_tool_use_id":null,"session_id":""}"#
        ),
        (
            .prompt(id: "u1", blocks: [.text("see"), .image(mediaType: "image/png", data: "QQ==")]),
            #"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]},"uuid":"u1","parent_tool_use_id":null,"session_id":""}"#
        ),
        (
            .initialize(request: "cdev-1-1"),
            #"{"type":"control_request","request_id":"cdev-1-1","request":{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":null,"hookCallbackIds":["cdev"],"timeout":86400,"onFailure":"block"}]}}}"#
        ),
        (
            .interrupt(request: "cdev-1-2", cancelsQueued: true),
            #"{"type":"control_request","request_id":"cdev-1-2","request":{"subtype":"interrupt","cancel_queued":true}}"#
        ),
        (
            .cancelPrompt(request: "cdev-1-4", prompt: "u1"),
            #"{"type":"control_request","request_id":"cdev-1-4","request":{"subtype":"cancel_async_message","message_uuid":"u1"}}"#
        ),
        (
            .endSession(request: "cdev-1-3"),
            #"{"type":"control_request","request_id":"cdev-1-3","request":{"subtype":"end_session"}}"#
        ),
        (
            .setEffort(request: "cdev-1-5", "low"),
            #"{"type":"control_request","request_id":"cdev-1-5","request":{"subtype":"apply_flag_settings","settings":{"effortLevel":"low"}}}"#
        ),
        (
            .setEffort(request: "cdev-1-6", nil),
            #"{"type":"control_request","request_id":"cdev-1-6","request":{"subtype":"apply_flag_settings","settings":{"effortLevel":null}}}"#
        ),
        (
            .refusal(request: "r"),
            #"{"type":"control_response","response":{"subtype":"error","request_id":"r","error":"cdev does not offer this"}}"#
        ),
    ]

    @Test(arguments: inputs)
    func isOneLine(_ input: ChildInput, _ expected: String) {
        #expect(String(decoding: input.claudeLine, as: UTF8.self) == expected + "\n")
    }

    private static let answers: [(HookAnswer, ChildRequest.Kind, String)] = [
        (.allow(reason: "r", updatedInput: nil), .permission, #"{"behavior":"allow"}"#),
        (
            .allow(reason: "r", updatedInput: ["command": "ls"]), .permission,
            #"{"behavior":"allow","updatedInput":{"command":"ls"}}"#
        ),
        (.deny(message: "no"), .permission, #"{"behavior":"deny","message":"cdev: no"}"#),
        (.pass, .callback, "{}"),
        (
            .deny(message: "no"), .callback,
            #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"cdev: no"}}"#
        ),
        (
            .ask(reason: "why"), .callback,
            #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"cdev: why"}}"#
        ),
    ]

    @Test(arguments: answers)
    func answersAreWhatTheAgentUnderstands(_ answer: HookAnswer, _ kind: ChildRequest.Kind, _ expected: String) throws {
        let line = try JSON(parsing: ChildInput.answer(request: "r", kind: kind, answer).claudeLine)
        #expect(line["type"] == "control_response")
        #expect(line["response"]?["request_id"] == "r" && line["response"]?["subtype"] == "success")
        #expect(line["response"]?["response"]?.serialized() == expected)
    }

    /// No terminal stands behind a question of a run session: whatever is no allow denies the call.
    @Test(arguments: [
        HookAnswer.pass, .ask(reason: "why"), .changed(asked: KeptJSON(["a": 1]), ran: KeptJSON(["a": 2])),
        .deny(message: "no"),
    ])
    func onlyAnAllowAllows(_ answer: HookAnswer) throws {
        let line = try JSON(parsing: ChildInput.answer(request: "r", kind: .permission, answer).claudeLine)
        #expect(line["response"]?["response"]?["behavior"] == "deny")
    }

    /// Claude Code ends at a line that is no JSON, so no text of a client may end a line.
    @Test func noTextEndsTheLine() {
        let text = "a\nb\r\n\u{2028}\u{0}\"}{\\"
        for input: ChildInput in [
            .prompt(id: text, blocks: [.text(text)]),
            .prompt(id: text, blocks: [.image(mediaType: text, data: text), .text(text)]),
            .answer(request: text, kind: .permission, .deny(message: text)), .refusal(request: text),
            .answer(request: text, kind: .callback, .deny(message: text)),
            .interrupt(request: text, cancelsQueued: false),
        ] {
            let line = input.claudeLine
            #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1 && line.last == UInt8(ascii: "\n"))
            #expect(throws: Never.self) { try JSON(parsing: line) }
        }
    }
}
