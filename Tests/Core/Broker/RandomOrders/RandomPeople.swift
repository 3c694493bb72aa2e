import Core
import OrderedJSON

/// What people say and do: most of it is what a client would send, the rest is late, wrong or not theirs to say.
extension RandomOrder {
    /// Another device with the name of the first.
    private static let twin = Caller(identity: .device(id: "d3", name: "phone"), rights: .approver)
    private static let callers = [
        Stage.phone, Stage.phone, Stage.tablet, Stage.terminal, twin,
        Caller(identity: .device(id: "d4", name: "frame"), rights: .viewer),
        Caller(identity: .local(pid: 8), rights: .agent), Caller(identity: .unverified, rights: [.decide, .read]),
    ]

    mutating func respond() {
        guard let caller = someCaller(), let card = someCard() else { return }
        say([response(to: card)], by: caller)
    }

    /// A list of answers, as a client that is told "allow all" sends it.
    mutating func respondWithList() {
        guard let caller = someCaller() else { return }
        let cards = (0..<random.int(below: 4) + 2).compactMap { _ in someCard() }
        guard !cards.isEmpty else { return }
        say(cards.map { response(to: $0) }, by: caller)
    }

    /// A link answers one opening of one card, whenever it is followed.
    mutating func followLink() {
        let cards = record.shown.values.sorted { ($0.id, $0.opening) < ($1.id, $1.opening) }
        guard !cards.isEmpty else { return }
        let open = record.open.sorted { ($0.id, $0.number) < ($1.id, $1.number) }.compactMap { record.shown[$0] }
        let older = cards.filter { card in open.contains { $0.id == card.id && $0.opening > card.opening } }
        let some = random.one(of: [cards, open, older])
        let card = random.one(of: some.isEmpty ? cards : some)
        say(
            [
                PermissionResponse(
                    target: .request(id: card.id), decision: random.one(of: [.allow, .deny]), opening: card.opening)
            ], by: Caller(identity: .link(channel: "ntfy"), rights: [.decide]))
    }

    private mutating func say(_ responses: [PermissionResponse], by caller: Caller) {
        let openings = responses.map { record.opening(of: $0.target, stage) }
        let isUnclear = responses.indices.map { record.isUnclear(responses[$0].target, openings[$0]) }
        let isRevoked = record.rules.isRevoked(caller)
        stage.respond(responses, by: caller)
        let call = CallID(number: stage.lastNumber)
        for (index, response) in responses.enumerated() {
            record.sayings.add(
                Saying(
                    opening: openings[index], caller: caller, response: response, count: responses.count, call: call,
                    index: index, isRevoked: isRevoked, isUnclear: isUnclear[index]))
        }
    }

    /// A revoked device cannot connect to the next daemon.
    private mutating func someCaller() -> Caller? {
        let caller = random.one(of: Self.callers)
        return record.rules.isGone(caller) ? nil : caller
    }

    private mutating func someCard() -> PermissionRequest? {
        let open = stage.pending
        if !open.isEmpty, !random.isOne(in: 8) { return random.one(of: open) }
        let cards = record.shown.values.sorted { ($0.id, $0.opening) < ($1.id, $1.opening) }
        return cards.isEmpty ? nil : random.one(of: cards)
    }

    private mutating func response(to card: PermissionRequest) -> PermissionResponse {
        let decision = random.one(of: [Decision.allow, .allow, .allow, .deny, .ask])
        let isChanged = decision == .allow && random.isOne(in: 6)
        let line = random.one(of: ["touch w", "\(Record.confirmed) c d"])
        let isQuestion = decision == .allow && card.toolName == "AskUserQuestion"
        return PermissionResponse(
            target: random.isOne(in: 5) ? .toolUse(id: card.toolUseID) : .request(id: card.id), decision: decision,
            opening: random.one(of: [nil, nil, card.opening]), scope: random.one(of: [.once, .session]),
            patterns: random.one(of: [nil, nil, nil, [], ["Bash(touch)"]]),
            confirm: random.one(of: [card.confirm, card.confirm, nil, Record.confirmed, "touch"]),
            message: decision == .deny && random.isOne(in: 2) ? "no \(random.int(below: 100))" : nil,
            updatedInput: isChanged && !isQuestion ? ["command": .string(line)] : nil,
            answers: isQuestion ? ["which?": .string(random.one(of: ["this", "that"]))] : nil)
    }

    mutating func revokeRule() {
        let rules = stage.state.rules(session: nil).map(\.id) + record.rules.made.keys.sorted().suffix(3)
        guard !rules.isEmpty else { return }
        let id = random.one(of: rules)
        if case .failure(.unknown) = stage.revoke(rule: id) { return }
        record.rules.revoke(id, at: record.step)
    }

    mutating func revokeDevice() {
        guard let id = random.one(of: [Stage.phone, Stage.tablet, Self.twin]).deviceID else { return }
        record.rules.revoke(device: id, at: record.step)
        stage.revoke(device: id)
    }
}
