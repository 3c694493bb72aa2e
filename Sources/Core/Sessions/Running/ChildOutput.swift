/// What people are shown of a child's line.
package enum ChildOutput: Sendable, Hashable {
    /// A piece of a message that is being written; the whole message follows.
    case delta(ChildDelta)
    /// A whole message, under the id that it has in the transcript.
    case message(TranscriptMessage)
    /// The model's provider failed, and is asked again.
    case retry(attempt: Int, of: Int)
    case turnEnd(TurnEnd)
}

/// A piece of a message.
package struct ChildDelta: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case text, thinking
    }

    package let kind: Kind
    package let text: String

    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }
}

/// The end of a turn, in the agent's words.
package struct TurnEnd: Sendable, Hashable {
    /// `completed`, `aborted_tools` …; empty where the agent did not tell.
    package let reason: String
    package let isError: Bool
    /// The last text, or the sentence of an error.
    package let text: String
    /// Of the whole conversation, in dollars; 0 after `/clear`.
    package let cost: Double?

    package init(reason: String, isError: Bool, text: String, cost: Double?) {
        self.reason = reason
        self.isError = isError
        self.text = text
        self.cost = cost
    }
}
