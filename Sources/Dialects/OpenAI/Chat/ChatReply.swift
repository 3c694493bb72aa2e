import Core
import OrderedJSON

/// The facts that an answer to one prompt tells, whatever its shape.
struct ChatReply: Sendable {
    let prompt: String
    /// The session that gave the answer; `nil` for an errand's, which has none.
    let session: RunSession?
    /// As the client called it.
    let model: String
    /// Seconds since 1970.
    let created: Int64
    /// The conversation had cost so many dollars before; `nil` where nothing is known of that.
    let costBefore: Double?

    /// The members by which a client finds the session again.
    var place: JSONObject {
        session.map { ["session_id": .string($0.id), "project_id": .string($0.workspaceID)] } ?? [:]
    }

    /// Returns the cost of the turn, in dollars; `nil` where the agent did not tell.
    func cost(of end: ChatEnd) -> JSON? {
        guard let cost = end.turn?.cost, let before = costBefore else { return nil }
        return JSONNumber(max(cost - before, 0)).map(JSON.number)
    }
}

/// Why an answer ends where it does, in the words of chat completions.
enum FinishReason: String, Sendable {
    case filter = "content_filter"
    case length
    case stop
}

/// The way in which a turn ended.
struct ChatEnd: Sendable, Hashable {
    var turn: TurnEnd?
    var failure: OpenAIFailure?

    /// Another than `stop` shows that the text is not all that was to come.
    var finishReason: FinishReason {
        if failure != nil { return .length }
        guard let reason = turn?.reason else { return .stop }
        if Self.limits.contains(reason) { return .length }
        return reason == TurnEnd.refusal ? .filter : .stop
    }

    /// Those of the turn; 0 where the agent did not tell.
    var tokens: TokenUse { turn?.tokens ?? TokenUse(input: 0, output: 0) }

    /// True if the agent said all that it had to say.
    var isWhole: Bool {
        guard let turn, failure == nil, !turn.isError else { return false }
        return finishReason == .stop && !turn.reason.hasPrefix("aborted")
    }

    /// The text of the answer.
    /// - Parameter written: What the agent wrote.
    func text(behind written: String) -> String {
        if let failure { return written + (written.isEmpty ? "" : "\n\n") + "[\(failure.message)]" }
        return written + addition(to: written)
    }

    /// Commands of the agent answer with a result alone, and its words about a refusal are none that the model wrote.
    func addition(to written: String) -> String {
        guard let text = turn?.text else { return "" }
        if written.isEmpty { return text }
        return finishReason == .filter ? "\n\n[\(text)]" : ""
    }

    /// The reasons of turns that ended at a limit of the agent.
    private static let limits: Set<String> = [
        "budget_exhausted", "error_max_budget_usd", "error_max_turns", "max_turns",
    ]

    init(turn: TurnEnd? = nil, failure: OpenAIFailure? = nil) {
        self.turn = turn
        self.failure = failure
    }

    init(_ end: PromptEnd, _ turn: TurnEnd?) {
        self.turn = turn
        switch end {
        // The agent says so of a prompt whose turn failed, too.
        case .cancelled where turn?.isError == true: failure = turn.flatMap(Self.failure)
        case .cancelled: failure = .conflict("cancelled", "the prompt was taken back before the agent worked on it")
        case .failed(let reason): failure = .server("agent_ended", reason.words)
        case .completed: failure = turn.flatMap(Self.failure)
        }
    }

    private static func failure(of turn: TurnEnd) -> OpenAIFailure? {
        if turn.reason.hasPrefix("aborted") {
            return turn.isError ? .conflict("interrupted", "the turn was stopped by somebody") : nil
        }
        guard turn.isError, turn.reason != TurnEnd.refusal, !limits.contains(turn.reason) else { return nil }
        return .server("turn_failed", turn.text.isEmpty ? "the turn failed: \(turn.reason)" : turn.text)
    }
}

extension PromptFailure {
    fileprivate var words: String {
        switch self {
        case .childEnded(_, let said):
            "the agent ended before it was done" + (said.map { ": \($0)" } ?? "")
        case .neverSent: "the daemon ended before the prompt was sent"
        case .neverStarted(let reason): "the agent did not start: \(reason)"
        case .sessionEnded: "the session was ended before the prompt was done"
        }
    }
}
