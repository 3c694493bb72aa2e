import Core

/// Keeps what agents told of themselves while this daemon ran.
struct RunFigures {
    private var offers: [String: AgentOffer] = [:]
    private var newest: AgentOffer
    private var turns: [String: TurnEnd] = [:]
    private var totals: [String: RunTotals] = [:]

    init(newest: AgentOffer) {
        self.newest = newest
    }

    /// Returns true if it is another than the one before.
    mutating func note(_ offer: AgentOffer, of session: String) -> Bool {
        // Equal ones are kept once: each takes as much as a hundred sessions.
        let isNew = offer != newest
        if isNew { newest = offer }
        offers[session] = newest
        return isNew
    }

    mutating func note(_ turn: TurnEnd, of session: String) {
        turns[session] = turn
        totals[session, default: RunTotals()].tokens += turn.tokens?.total ?? 0
    }

    mutating func noteMessage(of session: String) { totals[session, default: RunTotals()].messages += 1 }

    mutating func forget(_ session: String) {
        offers[session] = nil
        turns[session] = nil
        totals[session] = nil
    }

    /// Returns what the agent of a session offers, or what any agent told last where that one told nothing.
    func offer(of session: String?) -> AgentOffer { session.flatMap { offers[$0] } ?? newest }

    func lastTurn(of session: String) -> TurnEnd? { turns[session] }

    func totals(of session: String) -> RunTotals { totals[session] ?? RunTotals() }
}
