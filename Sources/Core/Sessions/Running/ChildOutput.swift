/// The part of a child's line that people are shown.
package enum ChildOutput: Sendable, Hashable {
    /// A call of a tool is being written; the whole message with the call follows.
    case call(ChildCall)
    /// A piece of a message that is being written; the whole message follows.
    case delta(ChildDelta)
    /// A whole message, under the id that it has in the transcript.
    case message(TranscriptMessage)
    /// The agent told its models and slash commands.
    case offer(AgentOffer)
    /// The model's provider failed, and is asked again.
    case retry(attempt: Int, of: Int)
    /// The agent told its servers of tools.
    case servers([ToolServerStatus])
    case turnEnd(TurnEnd)
}

/// A call of a tool whose input is not whole yet.
package struct ChildCall: Sendable, Hashable {
    /// As the message will have it.
    package let id: String
    package let tool: Tool

    package init(id: String, tool: Tool) {
        self.id = id
        self.tool = tool
    }
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
    /// The reason of a turn that the model refused.
    package static let refusal = "refusal"
    package let isError: Bool
    /// The last text, or the sentence of an error.
    package let text: String
    /// The cost of the whole conversation, in dollars; 0 after `/clear`.
    package let cost: Double?
    /// `nil` where the turn had no answer of the model.
    package let context: ContextUse?
    /// `nil` where the agent did not tell.
    package let tokens: TokenUse?

    package init(
        reason: String, isError: Bool, text: String, cost: Double?, context: ContextUse? = nil, tokens: TokenUse? = nil
    ) {
        self.reason = reason
        self.isError = isError
        self.text = text
        self.cost = cost
        self.context = context
        self.tokens = tokens
    }
}

/// The tokens of one turn.
package struct TokenUse: Sendable, Hashable {
    /// Those that the model read, from its cache or not.
    package let input: Int
    /// Those that the model wrote.
    package let output: Int

    package init(input: Int, output: Int) {
        self.input = input
        self.output = output
    }

    package var total: Int { input + output }
}
