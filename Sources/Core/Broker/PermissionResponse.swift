package import OrderedJSON

/// An answer of a person to a request: the parameters of `permission/respond`.
package struct PermissionResponse: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        case request(id: String)
        /// Accepted where exactly one held request has this id.
        case toolUse(id: String)
    }

    package let target: Target
    /// `allow`, `deny` or `ask`; `pass` is not a person's answer.
    package let decision: Decision
    /// The answer is for this opening of the request and for no later one; `nil` means the present opening.
    package let opening: Int?
    package let scope: Scope
    /// The offered patterns that become rules of the session; `nil` means all of them.
    package let patterns: [String]?
    /// The confirmation word that the card asks for, with an allow.
    package let confirm: String?
    /// A message to the model, with a deny.
    package let message: String?
    /// The whole input that is to run in place of the one asked for, with an allow.
    package let update: KeptJSON?
    /// `{question: answer}`, with an allow of a question call.
    package let answers: JSON?

    /// Serialises `updatedInput`, which takes its time where that is large.
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

/// The result of an answer that was taken.
package struct PermissionReceipt: Sendable, Hashable {
    package let requestID: String
    package let decision: Decision
    /// The granted scope, which may be less than the one asked for: without a safe pattern `session` becomes `once`.
    package let scope: Scope
    /// The rules that the answer granted.
    package let rules: [SessionRule]
    /// The answer was sent and has no effect yet for certain, as where the terminal shows a dialog too: an event
    /// confirms or corrects it.
    package let isSent: Bool

    package init(requestID: String, decision: Decision, scope: Scope, rules: [SessionRule] = [], isSent: Bool = false) {
        self.requestID = requestID
        self.decision = decision
        self.scope = scope
        self.rules = rules
        self.isSent = isSent
    }
}

/// The reason why an answer was not taken.
package enum ResponseFailure: Error, Sendable, Hashable {
    /// Several held requests have this `tool_use_id`.
    case ambiguousToolUse(id: String, count: Int)
    /// The request has been decided already.
    case decided(Resolution)
    /// The answer lacks or breaks something; the text says what to send.
    case invalid(String)
    /// No held request has this `tool_use_id`; with the resolution of the last one that had it, if that is known.
    case notOpen(toolUse: String, Resolution?)
    /// The caller may not decide.
    case refused(String)
    /// The allow must carry this word, typed by a person; the text says so.
    case unconfirmed(String, word: String)
    /// The decision could not be written down. An allow was not given, and the hook was passed; the rules of a deny
    /// are in force, but a killed daemon loses them.
    case unrecorded(String)
    /// No request has this id.
    case unknown(id: String)

    /// The text for an allow of a call whose input a start has not read.
    package static let notShown =
        "this call was not shown since the daemon's restart: its hook has not come back with it yet"
}
