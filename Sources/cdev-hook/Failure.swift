/// The reason why the relay has no answer for the hook.
enum Failure {
    case inputMissing, inputTooLarge, noRandomness
    case noSocketPath, badSocketPath, absent, foreign, busy
    case silent, late, left, unheard, badAnswer, answerTooLarge
    case status(Int)
    case misuse(StaticString)

    /// Appends a clause for people, in ASCII that needs no escaping in JSON.
    func describe(into text: inout Buffer) {
        switch self {
        case .inputMissing: text.append("there was no hook input to read")
        case .inputTooLarge: text.append("the hook input is larger than 10 MiB")
        case .noRandomness: text.append("the system gave no random bytes")
        case .noSocketPath: text.append("none of --socket, CDEV_SOCKET, CDEV_HOME and HOME says where its socket is")
        case .badSocketPath: text.append("the path of its socket is too long")
        case .absent: text.append("no daemon listens on its socket")
        case .foreign: text.append("another user's process listens on its socket")
        case .busy: text.append("the daemon accepts no more connections")
        case .silent: text.append("the daemon runs but is silent")
        case .late: text.append("the daemon gave no answer in time")
        case .left: text.append("the daemon went away and did not come back")
        case .unheard: text.append("nobody waits for its answer any more")
        case .badAnswer: text.append("what came back is not an answer")
        case .answerTooLarge: text.append("the answer is larger than 10 MiB")
        case .status(let status):
            text.append("the daemon answered with HTTP status ")
            text.append(decimal: status)
        case .misuse(let what):
            text.append("the hook runs cdev-hook with ")
            text.append(what)
        }
    }

    /// One line for stderr, which Claude Code keeps in its debug log. The line holds no input, path or environment
    /// value.
    func report(_ onFailure: Options.OnFailure) -> Buffer {
        var text = Buffer(capacity: 512)
        text.append("cdev-hook: ")
        describe(into: &text)
        text.append(onFailure == .block ? "; refusing the call" : "; leaving the request to Claude Code")
        text.append(". `cdev doctor` says more.\n")
        return text
    }

    /// The answer that refuses the call. Only PreToolUse can be refused reliably; at PermissionRequest the terminal
    /// asks, so `{}` (no opinion) suffices. An unknown event is treated as PreToolUse. Grok obeys only its own form,
    /// which Claude Code takes for an error, so no form serves both.
    func refusal(of event: JSONText.Event) -> Buffer {
        var text = Buffer(capacity: 1024)
        switch event {
        case .preToolUse, .unknown:
            text.append(#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","#)
            text.append(#""permissionDecisionReason":""#)
            explain(into: &text)
            text.append(#""}}"#)
        case .grokPreToolUse:
            text.append(#"{"decision":"deny","reason":""#)
            explain(into: &text)
            text.append(#""}"#)
        case .permissionRequest, .clear, .toolEnd, .other: text.append("{}")
        }
        return text
    }

    private func explain(into text: inout Buffer) {
        text.append("cdev is not answering: ")
        describe(into: &text)
        text.append(". Its hooks were installed with --on-failure block, so no tool runs without it. ")
        text.append("Ask the user to run `cdev start`, or `cdev doctor` to see what is wrong.")
    }
}
