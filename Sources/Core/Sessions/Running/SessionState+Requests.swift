/// What the child asks, and the answers of the broker.
extension SessionState {
    /// Takes the answer to a question. Returns false, and writes nothing, where the question is not open any more.
    package mutating func decide(
        _ answer: HookAnswer, request: String, session id: String, run: Int, at now: Instant
    ) -> (isDelivered: Bool, [SessionEffect]) {
        guard let session = current(id, run),
            let open = session.requests.first(where: { $0.id == request && $0.isAsked })
        else { return (false, []) }
        let effects = update(id, at: now) { session in
            session.requests.removeAll { $0.id == request }
            return [.write(session: id, .answer(request: request, kind: open.kind, answer))]
        }
        return (true, effects)
    }

    /// The question cannot be read again after a restart, so nobody can decide it.
    package mutating func lost(_ request: String, session id: String, run: Int, at now: Instant) -> [SessionEffect] {
        guard let open = current(id, run)?.requests.first(where: { $0.id == request && !$0.isAsked }) else { return [] }
        return update(id, at: now) { session in
            session.requests.removeAll { $0.id == request }
            let answer = HookAnswer.deny(message: "cdev lost this question in a restart. Ask again.")
            return [.write(session: id, .answer(request: request, kind: open.kind, answer))]
        }
    }
}

extension RunSession {
    func awaitsAgain(_ request: String) -> Bool {
        requests.contains { $0.id == request && !$0.isAsked }
    }

    mutating func askAgain(_ request: ChildRequest) -> [SessionEffect] {
        for index in requests.indices where requests[index].id == request.id { requests[index].isAsked = true }
        return [.ask(session: id, request)]
    }

    mutating func ask(_ request: ChildRequest, at place: SpoolPlace) -> [SessionEffect] {
        guard !requests.contains(where: { $0.id == request.id }) else { return [] }
        if case .ending = life {
            let answer = HookAnswer.deny(message: "The session is being ended.")
            return [.write(session: id, .answer(request: request.id, kind: request.kind, answer))]
        }
        requests.append(OpenChildRequest(id: request.id, kind: request.kind, place: place, isAsked: true))
        return [.ask(session: id, request)]
    }

    mutating func withdraw(_ request: String) -> [SessionEffect] {
        guard requests.contains(where: { $0.id == request }) else { return [] }
        requests.removeAll { $0.id == request }
        return [.withdraw(session: id, request: request, .takenBack)]
    }
}
