package import OrderedJSON

/// One answer of a person: the parameters of `permission/respond`.
package struct PermissionResponse: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        case request(id: String)
        /// Accepted where exactly one open request has it.
        case toolUse(id: String)
    }

    package let target: Target
    /// `allow`, `deny` or `ask`; `pass` is not a person's answer.
    package let decision: Decision
    /// Answers this opening of the request and no later one; `nil` means the one that is open.
    package let opening: Int?
    package let scope: Scope
    /// Which of the offered patterns the session remembers: a part of them, or none; `nil` means all.
    package let patterns: [String]?
    /// The word of the card's `confirm`, with an allow.
    package let confirm: String?
    /// For Claude, with a deny.
    package let message: String?
    /// A whole input object, with an allow.
    package let update: KeptJSON?
    /// `{question: answer}`, with an allow of AskUserQuestion.
    package let answers: JSON?

    /// Takes as long as writing `updatedInput` out, where that is large.
    package init(
        target: Target, decision: Decision, opening: Int? = nil, scope: Scope = .once, patterns: [String]? = nil,
        confirm: String? = nil, message: String? = nil, updatedInput: JSON? = nil, answers: JSON? = nil
    ) {
        self.target = target
        self.decision = decision
        self.opening = opening
        self.scope = scope
        self.patterns = patterns
        self.confirm = confirm
        self.message = message
        update = updatedInput.map { KeptJSON($0) }
        self.answers = answers
    }
}

/// What the person hears.
package struct PermissionReceipt: Sendable, Hashable {
    package let requestID: String
    package let decision: Decision
    /// What was granted, which may be less than what was asked: without a safe pattern `session` becomes `once`.
    package let scope: Scope
    /// The rules the answer made.
    package let rules: [SessionRule]
    /// The terminal's dialog stands beside this question: the answer is on its way, an event will confirm it.
    package let isSent: Bool

    package init(requestID: String, decision: Decision, scope: Scope, rules: [SessionRule] = [], isSent: Bool = false) {
        self.requestID = requestID
        self.decision = decision
        self.scope = scope
        self.rules = rules
        self.isSent = isSent
    }
}

/// Why an answer was not taken.
package enum ResponseFailure: Error, Sendable, Hashable {
    /// Two open requests carry this `tool_use_id`.
    case ambiguousToolUse(id: String, count: Int)
    /// Somebody or something was first.
    case decided(Resolution)
    /// The answer lacks or breaks something; the text says what to send.
    case invalid(String)
    /// No open request carries this `tool_use_id`; with how the last one that did has ended, where that is known.
    case notOpen(toolUse: String, Resolution?)
    /// The caller may not decide.
    case refused(String)
    /// The allow must carry this word, typed by a person; the text says so.
    case unconfirmed(String, word: String)
    /// The decision could not be written down, so an allow was not given; the hook was passed.
    case unrecorded(String)
    case unknown(id: String)
}
