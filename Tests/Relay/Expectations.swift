import Foundation
import Testing

/// Nothing on stdout: Claude Code does what it would do without cdev.
func expectNoOpinion(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.output == "", sourceLocation: sourceLocation)
    #expect(outcome.status == 0, sourceLocation: sourceLocation)
}

/// A refusal in the one form that Grok obeys. Grok ignores Claude Code's form and would run the call.
func expectGroksRefusal(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(outcome.status == 0, sourceLocation: sourceLocation)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: String]
    #expect(object?.count == 2 && object?["decision"] == "deny", sourceLocation: sourceLocation)
    #expect(object?["reason"]?.hasPrefix("cdev is not answering: ") == true, sourceLocation: sourceLocation)
}

/// A refusal with a reason, in the one form that every version of Claude Code obeys.
func expectRefusal(_ outcome: Outcome, status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(outcome.status == status, sourceLocation: sourceLocation)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: [String: String]]
    let answer = try #require(object?["hookSpecificOutput"], sourceLocation: sourceLocation)
    #expect(object?.count == 1, sourceLocation: sourceLocation)
    #expect(answer["hookEventName"] == "PreToolUse", sourceLocation: sourceLocation)
    #expect(answer["permissionDecision"] == "deny", sourceLocation: sourceLocation)
    let reason = try #require(answer["permissionDecisionReason"], sourceLocation: sourceLocation)
    #expect(reason.hasPrefix("cdev is not answering: "), sourceLocation: sourceLocation)
    #expect(reason.contains("cdev start") || reason.contains("cdev doctor"), sourceLocation: sourceLocation)
}
