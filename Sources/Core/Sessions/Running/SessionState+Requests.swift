/// Takes in what the child asks, and the answers of the broker.
extension SessionState {
    /// Takes the answer to a question. Returns false, and writes nothing, where the question is not open any more.
    package mutating func decide(
        _ answer: HookAnswer, request: String, session id: String, run: Int, at now: Instant
    ) -> (isDelivered: Bool, [SessionEffect]) {
        guard let session = current(id, run),
            let open = session.requests.first(where: { $0.id == request && $0.isAsked && !$0.isAnswered })
        else { return (false, []) }
        let effects = update(id, at: now) { session in
            session.noteAnswered(request)
            return [session.reply(answer, to: request, open.kind)]
        }
        return (true, effects)
    }

    /// The answer's bytes are where the child reads them.
    package mutating func written(
        answerTo request: String, session id: String, run: Int, at now: Instant
    ) -> [SessionEffect] {
        guard current(id, run) != nil else { return [] }
        return update(id, at: now) { session in
            session.requests.removeAll { $0.id == request && $0.isAnswered }
            return []
        }
    }

    /// The question cannot be read again after a restart, so nobody can decide it.
    package mutating func lost(_ request: String, session id: String, run: Int, at now: Instant) -> [SessionEffect] {
        guard let open = current(id, run)?.requests.first(where: { $0.id == request && !$0.isAsked && !$0.isAnswered })
        else { return [] }
        return update(id, at: now) { session in
            session.noteAnswered(request)
            let answer = HookAnswer.deny(message: "cdev lost this question in a restart. Ask again.")
            return [session.reply(answer, to: request, open.kind)]
        }
    }
}

extension RunSession {
    func awaitsAgain(_ request: String) -> Bool {
        requests.contains { $0.id == request && !$0.isAsked && !$0.isAnswered }
    }

    fileprivate mutating func noteAnswered(_ request: String) {
        for index in requests.indices where requests[index].id == request { requests[index].isAnswered = true }
    }

    /// Those that somebody may still answer.
    var openRequests: [OpenChildRequest] { requests.filter { !$0.isAnswered } }

    mutating func askAgain(_ request: ChildRequest) -> [SessionEffect] {
        for index in requests.indices where requests[index].id == request.id { requests[index].isAsked = true }
        return [.ask(session: id, request)]
    }

    mutating func ask(_ request: ChildRequest, at place: SpoolPlace) -> [SessionEffect] {
        guard !requests.contains(where: { $0.id == request.id }) else { return [] }
        if case .ending = life {
            let answer = HookAnswer.deny(message: "The session is being ended.")
            return [reply(answer, to: request.id, request.kind)]
        }
        requests.append(
            OpenChildRequest(
                id: request.id, kind: request.kind, place: place, directory: request.event.cwd, isAsked: true))
        return [.ask(session: id, request)]
    }

    mutating func withdraw(_ request: String) -> [SessionEffect] {
        let isOpen = openRequests.contains { $0.id == request }
        requests.removeAll { $0.id == request }
        return !isOpen ? [] : [.withdraw(session: id, request: request, .takenBack)]
    }
}
