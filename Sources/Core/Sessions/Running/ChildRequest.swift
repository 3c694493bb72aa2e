package import OrderedJSON

/// A question of a child.
package struct ChildRequest: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Before each call: answered at once by the rules.
        case callback
        /// The question that the agent would ask at its own dialog.
        case permission
    }

    /// The child's id of the question. Subagents ask at the same time, so it is the only key.
    package let id: String
    package let kind: Kind
    /// The hook's event that stands for the question.
    package let event: AgentEvent
    /// The agent's reason to ask, in its own words.
    package let reason: String?
    /// The rules that the agent offers to remember; they are shown, never granted.
    package let suggestions: KeptJSON?
    /// The digest of its line: an answer counts for another question of the same id only if the two lines are equal.
    package var digest: [UInt8] = []

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

/// The place of a line in the child's output.
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
    /// The directory that the call runs in. Lines before this one told it, which are not read again.
    package let directory: String
    /// False in a new daemon until the question was read again.
    package internal(set) var isAsked: Bool
    /// True once its answer is on the way. It stays here, and in the row, until its bytes are where the child reads them: the
    /// next daemon answers again what this one did not come to write.
    package internal(set) var isAnswered = false
    /// True in a new daemon: the last one may have answered it, and not come to write that down.
    var isInherited = false

    package init(
        id: String, kind: ChildRequest.Kind, place: SpoolPlace, directory: String, isAsked: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.place = place
        self.directory = directory
        self.isAsked = isAsked
    }
}

/// The reason for which a question needs no answer any more.
package enum RequestWithdrawal: Sendable, Hashable {
    case childEnded
    /// The child took it back: somebody interrupted it, or a hook answered.
    case takenBack
}
