/// The messages that were written to a child and that it has not answered, or shown back. Its input is a pipe that each of
/// the user's processes can open, a command of the child's own among them, and the child takes what comes there.
struct ChildTraffic: Sendable, Hashable {
    /// Requests of ours.
    private(set) var asked: Set<String> = []
    /// Our answers, by the child's ids of its questions.
    private(set) var given: [String: ShownAnswer] = [:]
    /// False in a new daemon until the child has answered it: what it shows until then may be meant for an earlier one.
    var isWhole = true

    mutating func ask(_ request: String) { asked.insert(request) }

    mutating func give(_ answer: ShownAnswer, to request: String) { given[request] = answer }

    /// The child answered a request that has an id of ours. False where nobody asked that.
    /// - Parameter isEarlier: True for an id of an earlier daemon, whose request may take the child longer than ours.
    mutating func answered(_ request: String, isEarlier: Bool) -> Bool {
        let isMeant = asked.remove(request) != nil
        defer { if isMeant, !isEarlier { isWhole = true } }
        return isMeant || isEarlier || !isWhole
    }

    /// The child took an answer to a question that is not open. False where we gave none, or a stricter one.
    mutating func took(_ answer: ShownAnswer, to request: String) -> Bool {
        guard let ours = given.removeValue(forKey: request) else { return !isWhole }
        return !answer.isLaxer(than: ours)
    }
}

/// The part of an answer that a child shows back by which ours is told from another.
package struct ShownAnswer: Sendable, Hashable {
    /// From the laxest to the strictest.
    package enum Verdict: Int, Sendable, Hashable {
        case allow, none, ask, deny
    }

    package var verdict: Verdict
    /// True if it changes what is to run.
    package var hasUpdate: Bool

    package init(_ verdict: Verdict = .none, hasUpdate: Bool = false) {
        self.verdict = verdict
        self.hasUpdate = hasUpdate
    }

    fileprivate func isLaxer(than other: ShownAnswer) -> Bool {
        verdict.rawValue < other.verdict.rawValue || hasUpdate && !other.hasUpdate
    }
}

extension ShownAnswer {
    init(_ answer: HookAnswer, to kind: ChildRequest.Kind) {
        switch answer {
        // The question for a permission is answered with the input, changed or not.
        case .allow(_, let update): self.init(.allow, hasUpdate: kind == .permission || update != nil)
        case .ask where kind == .callback: self.init(.ask)
        case .changed where kind == .callback, .pass where kind == .callback: self.init(.none)
        case .ask, .changed, .deny, .pass: self.init(.deny)
        }
    }
}

extension RunSession {
    /// Answers a question of the child.
    mutating func reply(_ answer: HookAnswer, to request: String, _ kind: ChildRequest.Kind) -> SessionEffect {
        clocks.traffic.give(ShownAnswer(answer, to: kind), to: request)
        return .write(session: id, .answer(request: request, kind: kind, answer))
    }

    /// We do not offer what the child asked for.
    mutating func refuse(_ request: String) -> SessionEffect {
        clocks.traffic.give(ShownAnswer(), to: request)
        return .write(session: id, .refusal(request: request))
    }

    /// The child shows an answer back that it took.
    mutating func noteTaken(_ answer: ShownAnswer, to request: String) -> [SessionEffect] {
        if let open = openRequests.first(where: { $0.id == request }) {
            return open.isInherited ? withdraw(request) : intrude("an answer")
        }
        requests.removeAll { $0.id == request }
        return clocks.traffic.took(answer, to: request) ? [] : intrude("a request")
    }

    /// Nothing that the child does counts as asked for any more, so it is ended at once.
    mutating func intrude(_ what: String) -> [SessionEffect] {
        if case .ending(let ending) = life, ending.purpose == .end(.intruded) { return [] }
        let withdrawn: [SessionEffect] = openRequests.map { .withdraw(session: id, request: $0.id, .childEnded) }
        requests = []
        clocks.due = nil
        clocks.interrupt = nil
        life = .ending(RunEnding(.end(.intruded), step: .killed))
        return [.signal(session: id, .kill)] + withdrawn + [.alarm(session: id, what)]
    }
}
