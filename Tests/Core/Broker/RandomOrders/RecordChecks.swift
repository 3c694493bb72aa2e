import Core
import OrderedJSON
import Rules

/// Every answer is tied to what was asked and to who said so.
extension Record {
    mutating func check(_ waiter: Waiter, _ stage: Stage) {
        guard let posting = asked[waiter], let answer = answers[waiter] else { return }
        if case .allow(_, let update) = answer {
            if let receipt = receipts[waiter] {
                checkCard(Opening(receipt), posting, update, stage)
            } else if posting.event.name == .preToolUse {
                checkRuledAtOnce(posting, stage)
            } else {
                checkUnaskedDialog(posting, stage)
            }
        } else if case .pass = answer, receipts[waiter].flatMap({ resolver(of: $0, stage) })?.isPerson != true {
            // A dialog is shown until somebody answers there; before it, no opinion may let the call run.
            if posting.event.name == .preToolUse { checkNotDenied(posting, stage) }
        } else if let receipt = receipts[waiter], resolver(of: receipt, stage)?.isPerson == true,
            let first = sayings.first(on: Opening(receipt))
        {
            expect(answer.says(first), "\(waiter) heard \(answer), said was \(first.response)")
        }
    }

    private func resolver(of receipt: DeliveryReceipt, _ stage: Stage) -> Resolver? {
        stage.state.request(id: receipt.requestID)?.resolution?.resolver
    }

    /// An allow that ended a card goes to whoever asked just that, and is what a person or a rule said of it.
    private mutating func checkCard(_ opening: Opening, _ posting: Posting, _ update: KeptJSON?, _ stage: Stage) {
        guard let card = shown[opening] ?? ruled[opening.id] else {
            return expect(false, "\(opening) was allowed and never shown")
        }
        expect(card.asks(posting), "the allow of \(opening), \(card.toolInput.serialized()), went to \(posting)")
        guard let resolution = stage.state.request(id: opening.id)?.resolution else {
            return expect(false, "\(opening) is open, and its hook was told to go on")
        }
        let written = stage.disk.request(id: opening.id)?.resolution?.decision
        expect(written == .allow, "the allow of \(opening) was heard and not written")
        switch resolution.resolver {
        case .device, .link, .local:
            let isSaid = sayings.candidates(on: opening).contains { saying in
                saying.response.decision == .allow && saying.caller.decided(resolution)
                    && saying.input(for: card) == update
            }
            expect(isSaid, "nobody said the allow of \(opening) by \(resolution.resolver.spelling)")
            if posting.event.name == .preToolUse { allowances.add(posting.call, Look(posting, input: update)) }
        case .rule(let id):
            expect(update == nil, "a rule changed an input")
            if let last = lastPending[opening] { checkRule(id, posting, after: last) }
        default: expect(false, "\(opening) was allowed by \(resolution.resolver.spelling)")
        }
    }

    private mutating func checkRuledAtOnce(_ posting: Posting, _ stage: Stage) {
        let entry = logged(stage).last { $0.resolution?.decision == .allow && $0.asks(posting) }
        guard let entry, case .rule(let id)? = entry.resolution?.resolver else {
            return expect(false, "an allow of \(posting) that nobody gave")
        }
        ruled[entry.id] = entry
        checkRule(id, posting, after: step)
        checkNotDenied(posting, stage)
        let idle = rules.use(id, at: stage.now.uptime)
        expect(idle < 86_400 + setBack, "\(id) has run out")
    }

    /// The rule was granted by a person for this session, covers this very call, and was in force after this step.
    private func checkRule(_ id: String, _ posting: Posting, after step: Int) {
        guard let rule = rules.made[id] else { return expect(false, "\(id) was never made") }
        let session = posting.event.sessionID
        expect(rule.effect == .allow && rules.wasMade(id, for: session), "\(rule) is none of \(session)")
        expect(
            rule.sessionID == session || posting.source.claudePID == AgentCall.process(of: session),
            "a rule that went on after /clear allowed \(posting) of another process")
        expect(rule.pattern == posting.pattern, "\(rule.pattern) does not cover \(posting)")
        expect(posting.source.isVerified && !session.hasPrefix("grok:"), "a rule allowed \(posting)")
        expect(posting.event.tool?.confirmed == nil, "a rule allowed what has to be confirmed")
        expect(rules.isInForce(id, after: step), "\(id) was taken back before it allowed \(posting)")
        let isGranted = sayings.taken(of: rule.requestID).contains { saying in
            saying.grants(rule, saying.opening.flatMap { shown[$0] })
        }
        expect(isGranted, "nobody granted \(rule)")
    }

    private mutating func checkUnaskedDialog(_ posting: Posting, _ stage: Stage) {
        expect(allowances.use(posting.call, Look(posting)), "a dialog was allowed, and nobody allowed \(posting)")
        checkNotDenied(posting, stage)
    }

    private func checkNotDenied(_ posting: Posting, _ stage: Stage) {
        let denying = stage.state.rules(session: posting.event.sessionID).first { rule in
            denyRules.contains { $0.id == rule.id } && rule.pattern == posting.pattern
        }
        expect(denying == nil, "\(posting) was let through against \(denying?.pattern ?? "")")
    }
}

/// Every answer that was taken may be: whoever gave it, to what, and how.
extension Record {
    mutating func check(_ saying: Saying, _ stage: Stage) {
        guard let receipt = saying.receipt else { return }
        rules.confirmDenies(receipt.rules, at: step)
        expect(saying.caller.may(.decide) && saying.caller.resolver != nil, "\(saying.caller) may not decide")
        expect(!saying.isRevoked, "\(saying.caller) was revoked")
        guard !isRepeated(saying, receipt), !isOldNews(saying, receipt, stage) else { return }
        guard let opening = saying.opening, let card = shown[opening], opening.id == receipt.requestID,
            sayings.first(on: opening)?.isSame(as: saying) == true
        else { return expect(false, "\(saying.response) was taken, and something else had been decided") }
        expect(
            saying.response.opening.map { $0 == opening.number } ?? true, "another opening than \(opening) was meant")
        expect(receipt.decision == saying.decision(on: card), "\(receipt) is not what was said")
        if saying.count > 1 {
            expect(saying.response.scope == .once && saying.response.confirm == nil, "too much for a list")
        }
        if saying.response.decision == .allow {
            let word = saying.neededWord(for: card)
            expect(word == nil || saying.response.confirm == word, "\(opening) was allowed without its word")
        }
        expect(!saying.isUnclear, "\(saying.response.target) may have meant another call")
        for rule in receipt.rules { expect(saying.grants(rule, card), "nobody granted \(rule)") }
    }

    /// Whether the request had ended without an allow, by its sender and as it says: an allow that could not be written.
    private func isOldNews(_ saying: Saying, _ receipt: PermissionReceipt, _ stage: Stage) -> Bool {
        guard let request = stage.state.request(id: receipt.requestID), let resolution = request.resolution else {
            return false
        }
        return resolution.decision != .allow && saying.caller.decided(resolution)
            && resolution.decision == saying.decision(on: request)
    }

    /// Whether an answer was taken because its sender had said the same before.
    private func isRepeated(_ saying: Saying, _ receipt: PermissionReceipt) -> Bool {
        shown.filter { $0.key.id == receipt.requestID }.contains { opening, card in
            sayings.candidates(on: opening).contains { earlier in
                (earlier.call.number, earlier.index) < (saying.call.number, saying.index)
                    && earlier.caller.isSame(as: saying.caller)
                    && earlier.decision(on: card) == saying.decision(on: card)
                    && earlier.input(for: card) == saying.input(for: card)
                    && (saying.response.message == nil || earlier.response.message == saying.response.message)
            }
        }
    }
}

extension Caller {
    /// Two devices may have one name, which is all that a resolver has of them.
    fileprivate func isSame(as other: Caller) -> Bool {
        resolver == other.resolver && deviceID == other.deviceID
    }

    fileprivate func decided(_ resolution: Resolution) -> Bool {
        resolver == resolution.resolver && deviceID == resolution.deviceID
    }
}
