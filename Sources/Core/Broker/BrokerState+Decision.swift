package import OrderedJSON
import Rules

/// Checks an answer against its request, and makes the pending decision and the granted rules of it.
extension BrokerState {
    func decision(
        on held: HeldRequest, _ response: PermissionResponse, _ resolver: Resolver, _ caller: Caller,
        at now: Timestamp
    ) throws(ResponseFailure) -> HeldRequest.PendingDecision {
        let request = held.request
        try checkAgent(of: request, response)
        guard request.input.bytesElsewhere == nil || response.decision != .allow else {
            throw .invalid(ResponseFailure.notShown)
        }
        let update = try update(of: request, response)
        try checkConfirmation(of: request, response)
        let patterns = try granted(request, response)
        let decision = Self.effective(response.decision, for: request)
        let rules = patterns.map { pattern in
            SessionRule(
                id: makeID("rule_"), sessionID: request.sessionID, effect: decision == .deny ? .deny : .allow,
                pattern: pattern, createdAt: now, grantedBy: resolver.spelling,
                deviceID: caller.deviceID, requestID: request.id)
        }
        let resolution = Resolution(
            decision: decision, scope: rules.isEmpty ? .once : .session, resolver: resolver, deviceID: caller.deviceID,
            reason: Self.reason(decision, by: resolver), at: now,
            message: response.message, update: update, isDelivered: false,
            isConfirmed: !request.isTerminalPrompt && !held.waiters.isEmpty)
        return HeldRequest.PendingDecision(resolution: resolution, rules: rules, caller: caller)
    }

    /// Refuses an answer that the agent does not understand: of a changed input, the agent would run the original.
    private func checkAgent(of request: PermissionRequest, _ response: PermissionResponse) throws(ResponseFailure) {
        let agent = request.agent
        let answers = agent.profile.answers
        if response.decision == .ask, !answers.contains(.ask) {
            throw .invalid("\(agent.name) cannot be made to ask at its own prompt: allow the call or deny it")
        }
        if response.update != nil || response.answers != nil, !answers.contains(.changedInput) {
            throw .invalid("\(agent.name) takes no changed input: allow the call as it is, or deny it with a message")
        }
    }

    /// Refuses an allow of a listed call without its confirmation word. Where the input was changed, the word is that
    /// of the changed input.
    private func checkConfirmation(
        of request: PermissionRequest, _ response: PermissionResponse
    ) throws(ResponseFailure) {
        guard response.decision == .allow else { return }
        let changed = response.update.flatMap { prompt(for: request.tool, changedTo: $0) }
        guard let prompt = changed ?? request.confirm, response.confirm != prompt else { return }
        let why = response.confirm == nil ? "has to be confirmed" : "was confirmed with another word"
        throw .unconfirmed(
            "this call \(why): send \"confirm\": \"\(prompt)\" with the allow, by itself and not in a list",
            word: prompt)
    }

    /// Returns the patterns that become rules. There are none for an unverified request or a changed input, and none
    /// where the session has no room for all of them.
    private func granted(
        _ request: PermissionRequest, _ response: PermissionResponse
    ) throws(ResponseFailure) -> [String] {
        let offered = offered(request, response.decision)
        let chosen = response.patterns ?? offered
        guard chosen.count <= offered.count else {
            throw .invalid(
                "patterns: \(chosen.count) are named, but the card offers \(offered.count) for this decision")
        }
        let isChosen = { (pattern: String) in chosen.contains { PathText.same($0, pattern) } }
        if let other = chosen.first(where: { choice in !offered.contains { PathText.same($0, choice) } }) {
            throw .invalid("patterns: \"\(other.prefix(80))\" is none of those the card offers for this decision")
        }
        let isChanged = response.update != nil || response.answers != nil
        if response.patterns?.isEmpty == false, response.scope == .once, !isChanged {
            throw .invalid("patterns goes with scope \"session\"")
        }
        guard response.scope == .session, !isChanged else { return [] }
        let granted = offered.filter(isChosen)
        return ruleBook.hasRoom(for: granted.count, session: request.sessionID) ? granted : []
    }

    /// The patterns that the card offers for a decision.
    private func offered(_ request: PermissionRequest, _ decision: Decision) -> [String] {
        guard !request.isUnverified else { return [] }
        switch decision {
        case .allow: return request.patterns
        case .deny: return request.denyPatterns
        default: return []
        }
    }

    /// The confirmation word of a changed input. A large input is not parsed on the loop for this; it may contain any
    /// listed word, so it has to be confirmed.
    private func prompt(for tool: Tool, changedTo update: KeptJSON) -> String? {
        update.size <= Self.longestParsed
            ? policy.confirm.prompt(for: tool, input: update.value) : policy.confirm.promptUnseen(for: tool)
    }

    /// The most bytes of a changed input that is parsed on the loop, where every connection waits for it.
    private static let longestParsed = 32 << 10

    /// Returns the input that the agent is to run in place of its own; `nil` for its own.
    func update(
        of request: PermissionRequest, _ response: PermissionResponse
    ) throws(ResponseFailure) -> KeptJSON? {
        if response.message?.isEmpty == false, response.decision != .deny {
            throw .invalid("message goes with decision \"deny\" only: nobody would read it")
        }
        guard response.decision == .allow else {
            if response.update != nil || response.answers != nil {
                throw .invalid("updated_input and answers go with decision \"allow\" only")
            }
            return nil
        }
        if let update = response.update, !update.isObject {
            throw .invalid("updated_input must be an object: the whole new tool_input")
        }
        switch request.tool.kind {
        case .question: return KeptJSON(try answered(request, response))
        case .plan where response.answers == nil: return response.update ?? KeptJSON([:])
        default:
            if response.answers != nil { throw .invalid("answers is for questions to the user only") }
            return response.update
        }
    }

    /// Returns the whole input of a question call with the answers in it, each under its question's text.
    private func answered(
        _ request: PermissionRequest, _ response: PermissionResponse
    ) throws(ResponseFailure) -> JSON {
        let tool = request.tool
        if response.update != nil { throw .invalid("\(tool.name) takes answers, not updated_input") }
        // The input is parsed on the loop, where every connection waits for it.
        guard request.input.size <= Self.longestAnswered else {
            throw .invalid("these questions are larger than \(Self.longestAnswered) bytes; answer them in the terminal")
        }
        let missing = ResponseFailure.invalid("\(tool.name) needs answers: an object {question text: answer text}")
        guard let answers = response.answers?.objectValue else { throw missing }
        let asked = request.toolInput
        guard var input = asked.objectValue, let member = tool.members[.answers] else { throw missing }
        let questions = tool.list(.questions, in: asked).compactMap { tool.string(.question, in: $0) }
        if let flaw = Self.flaw(in: answers, to: questions) { throw .invalid(flaw) }
        input[member] = .object(answers)
        return .object(input)
    }

    /// Why the answers are not one text for each question; `nil` where they are. Compared by bytes, as the members of a
    /// JSON object are, and in linear time: a call may have thousands of questions.
    package static func flaw(in answers: JSONObject, to questions: [String]) -> String? {
        let (asked, answered) = (Set(questions.map(ExactString.init)), Set(answers.map { ExactString($0.key) }))
        for (question, answer) in answers where answer.stringValue == nil || !asked.contains(ExactString(question)) {
            return "answers: \"\(question)\" must be one of the questions asked, with a string"
        }
        let missing = questions.first { !answered.contains(ExactString($0)) }
        return missing.map { "answers: \"\($0)\" is not answered" }
    }

    /// The most bytes of a question call's input that a client can answer.
    private static let longestAnswered = 64 << 10

    /// Read by people in Claude's transcript too, so the words are those of every list and notification.
    private static func reason(_ decision: Decision, by resolver: Resolver) -> String {
        decision == .pass
            ? "nobody sits at the terminal to answer it there"
            : OutcomeWords.text(decision.rawValue, by: resolver.spelling)
    }
}
