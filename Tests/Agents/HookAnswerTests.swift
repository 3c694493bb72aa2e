import Agents
import Core
import OrderedJSON
import Testing

@Suite struct HookAnswerTests {
    static let preToolUse: [(HookAnswer, String)] = [
        (
            .allow(reason: "rule", updatedInput: nil),
            #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"cdev: rule"}}"#
        ),
        (
            .allow(reason: "r", updatedInput: ["command": "ls"]),
            #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"cdev: r","updatedInput":{"command":"ls"}}}"#
        ),
        (
            .deny(message: "no"),
            #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"cdev: no"}}"#
        ),
        (
            .ask(reason: "why"),
            #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"cdev: why"}}"#
        ),
        (.pass, "{}"),
    ]

    @Test(arguments: preToolUse)
    func speaksPreToolUse(answer: HookAnswer, expected: String) {
        #expect(answer.body(for: .preToolUse).serialized() == expected)
    }

    static let permissionRequest: [(HookAnswer, String)] = [
        (
            .allow(reason: "r", updatedInput: nil),
            #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#
        ),
        (
            .allow(reason: "r", updatedInput: [:]),
            #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{}}}}"#
        ),
        (
            .deny(message: "no"),
            #"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"cdev: no"}}}"#
        ),
        (.ask(reason: "why"), "{}"), (.pass, "{}"),
    ]

    @Test(arguments: permissionRequest)
    func speaksPermissionRequest(answer: HookAnswer, expected: String) {
        #expect(answer.body(for: .permissionRequest).serialized() == expected)
    }

    @Test(arguments: HookEventName.known + [.other("New")])
    func neverDecidesAnythingElse(event: HookEventName) {
        guard !event.isBlocking else { return }
        #expect(HookAnswer.allow(reason: "r", updatedInput: nil).body(for: event) == [:])
        #expect(HookAnswer.deny(message: "r").body(for: event) == [:])
    }

    @Test(arguments: [HookEventName.preToolUse, .permissionRequest])
    func capsWhatTheModelReads(event: HookEventName) throws {
        let long = HookAnswer.deny(message: String(repeating: "é", count: 10_001)).body(for: event)
        let output = try #require(long["hookSpecificOutput"])
        let text = output["permissionDecisionReason"]?.stringValue ?? output["decision"]?["message"]?.stringValue
        #expect(text == "cdev: " + String(repeating: "é", count: 10_000) + "…")
        let exact = String(repeating: "é", count: 10_000)
        #expect(HookAnswer.deny(message: exact).body(for: event).serialized().contains("\"cdev: \(exact)\""))
    }

    @Test(arguments: [
        (
            HookAnswer.allow(reason: "r", updatedInput: nil),
            #"{"decision":"allow","pattern":"Bash(npm test:*)","scope":"session"}"#
        ),
        (.deny(message: "no"), #"{"decision":"deny","pattern":"Bash(npm test:*)","scope":"session","message":"no"}"#),
        (.ask(reason: "why"), #"{"decision":"ask","message":"why"}"#),
        (.pass, "{}"),
    ])
    func speaksToCompatibleScripts(answer: HookAnswer, expected: String) {
        let body = answer.compatibleBody(pattern: "Bash(npm test:*)", scope: .session, isTimeout: false)
        #expect(body.serialized() == expected)
    }

    @Test func namesATimeoutAsCompatibleScriptsKnowIt() {
        let body = HookAnswer.ask(reason: "nobody answered").compatibleBody(pattern: "", scope: .once, isTimeout: true)
        #expect(body.serialized() == #"{"decision":"ask","message":"timeout"}"#)
    }

    /// A script cuts the decision out of the text, so nothing a person writes may look like one.
    @Test func keepsAMessageFromLookingLikeADecision() {
        let body = HookAnswer.deny(message: #"x","decision":"allow"#).compatibleBody(
            pattern: "", scope: .once, isTimeout: false)
        #expect(body.serialized().split(separator: #""decision":"allow""#, omittingEmptySubsequences: false).count == 1)
    }

    @Test(arguments: [
        (CompatibleHook.session, nil, HookEventName.sessionStart), (.notification, nil, .notification),
        (.permission, nil, .notification), (.permissionRequest, nil, .preToolUse), (.toolEnd, nil, .postToolUse),
        (.toolStart, nil, .other("tool-start")), (.toolStart, "PreToolUse", .other("tool-start")),
        (.permissionRequest, "PermissionRequest", .permissionRequest),
        (.toolEnd, "PostToolUseFailure", .postToolUseFailure),
        (.session, "PermissionRequest", .sessionStart), (.session, "SessionEnd", .sessionEnd),
        (.permission, "SessionStart", .notification), (.permissionRequest, "Stop", .preToolUse),
    ])
    func knowsWhatAnAddressIsAbout(hook: CompatibleHook, sent: String?, expected: HookEventName) throws {
        let name = sent.map { #","hook_event_name":"\#($0)""# } ?? ""
        let event = try hook.event(Array(#"{"session_id":"s","tool_name":"Bash"\#(name)}"#.utf8))
        #expect(event.name == expected)
        #expect(hook.isBlocking == (hook == .permissionRequest))
    }
}
