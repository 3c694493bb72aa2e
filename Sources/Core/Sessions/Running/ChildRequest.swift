package import OrderedJSON

/// What a child asks.
package struct ChildRequest: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Before each call: answered at once by the rules.
        case callback
        /// What the agent would ask at its own dialog.
        case permission
    }

    /// The child's id of the question. Subagents ask at the same time, so it is the only key.
    package let id: String
    package let kind: Kind
    /// The hook's event that stands for the question.
    package let event: AgentEvent
    /// Why the agent asks, in its own words.
    package let reason: String?
    /// What the agent offers to remember; shown, never granted.
    package let suggestions: KeptJSON?

    package init(
        id: String, kind: Kind, event: AgentEvent, reason: String? = nil, suggestions: KeptJSON? = nil
    ) {
        self.id = id
        self.kind = kind
        self.event = event
        self.reason = reason
        self.suggestions = suggestions
    }
}

/// Where a line is in the child's output.
package struct SpoolPlace: Sendable, Hashable {
    package let offset: Int64
    /// Bytes, without the line feed.
    package let length: Int

    package init(offset: Int64, length: Int) {
        self.offset = offset
        self.length = length
    }

    /// The first byte of the next line.
    package var end: Int64 { offset + Int64(length) + 1 }
}

/// A question that waits for its answer.
package struct OpenChildRequest: Sendable, Hashable {
    package let id: String
    package let kind: ChildRequest.Kind
    /// Its line, from which the next daemon reads the question again.
    package let place: SpoolPlace
    /// False in a new daemon until the question was read again.
    package internal(set) var isAsked: Bool

    package init(id: String, kind: ChildRequest.Kind, place: SpoolPlace, isAsked: Bool = false) {
        self.id = id
        self.kind = kind
        self.place = place
        self.isAsked = isAsked
    }
}

/// The reason for which a question needs no answer any more.
package enum RequestWithdrawal: Sendable, Hashable {
    case childEnded
    /// The child took it back: somebody interrupted it, or a hook answered.
    case takenBack
}
