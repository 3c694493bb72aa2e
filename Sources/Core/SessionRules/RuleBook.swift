import Rules

/// The rules in force, by session. A rule dies with its session, when it is revoked, or 24 h after its last match.
package struct RuleBook: Sendable {
    /// What a call of a session is held against, made anew when one of its rules changes: far less often.
    private struct Session {
        let list: [SessionRule]
        let allow: GrantedRules
        let deny: GrantedRules

        init(_ list: [SessionRule]) {
            self.list = list
            allow = GrantedRules(list.filter { $0.effect == .allow })
            deny = GrantedRules(list.filter { $0.effect == .deny })
        }
    }

    private var sessions: [String: Session] = [:]
    private var sessionByID: [String: String] = [:]
    /// When each rule last matched, or was made.
    private var matched: [String: Uptime] = [:]
    /// None of them is earlier.
    private var earliest: Uptime?

    /// Rules of one session; beyond it the allow rule longest unmatched goes. A deny rule in force never does: where
    /// all are, nothing more is taken in.
    package static let limit = 200
    package static let lifetime: Double = 86_400
    /// A match is noted once in this many seconds: the rule's life is a day, so the hook need not write every time.
    static let touchInterval: Double = 60

    package init() {}

    private static let none = GrantedRules([])

    package func rules(session: String, _ effect: SessionRule.Effect) -> GrantedRules {
        guard let session = sessions[session] else { return Self.none }
        return effect == .allow ? session.allow : session.deny
    }

    private func list(of session: String) -> [SessionRule] {
        sessions[session]?.list ?? []
    }

    private mutating func set(_ list: [SessionRule], of session: String) {
        sessions[session] = list.isEmpty ? nil : Session(list)
    }

    package func list(session: String?) -> [SessionRule] {
        let found = session.map { list(of: $0) } ?? sessions.values.flatMap(\.list)
        return found.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    package var count: Int { sessionByID.count }

    package func holds(_ id: String) -> Bool { sessionByID[id] != nil }

    /// Whether so many new rules can be taken into force beside the deny rules of a session.
    package func hasRoom(for count: Int, session: String) -> Bool {
        rules(session: session, .deny).all.count + count <= Self.limit
    }

    /// Takes a rule into force; returns those that had to go for it, which is the rule itself where there is no room.
    /// The same pattern is granted once.
    package mutating func add(_ rule: SessionRule, at now: Instant) -> [SessionRule] {
        var list = list(of: rule.sessionID)
        let isSame = { (other: SessionRule) in
            other.effect == rule.effect && PathText.same(other.pattern, rule.pattern)
        }
        var dropped = list.filter(isSame)
        list.removeAll(where: isSame)
        list.append(rule)
        dropped.removeAll { $0.id == rule.id }
        while list.count > Self.limit {
            let oldest = list.dropLast().filter { $0.effect == .allow }.min { $0.lastMatch < $1.lastMatch } ?? rule
            list.removeAll { $0.id == oldest.id }
            dropped.append(oldest)
        }
        set(list, of: rule.sessionID)
        sessionByID[rule.id] = rule.sessionID
        // One from before a restart is as old as the time of day says, if that can be.
        let last = now.uptime + -max(0, now.wall.seconds(since: rule.lastMatch))
        matched[rule.id] = last
        earliest = min(earliest ?? last, last)
        for old in dropped { forget(old.id) }
        return dropped
    }

    package mutating func remove(_ id: String) -> SessionRule? {
        guard let session = sessionByID[id] else { return nil }
        forget(id)
        var list = list(of: session)
        guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
        let removed = list.remove(at: index)
        set(list, of: session)
        return removed
    }

    package mutating func removeAll(session: String) -> [SessionRule] {
        let removed = sessions.removeValue(forKey: session)?.list ?? []
        for rule in removed { forget(rule.id) }
        return removed
    }

    private mutating func forget(_ id: String) {
        sessionByID[id] = nil
        matched[id] = nil
    }

    /// Notes a match; the rule as it is now, where that is worth writing down.
    package mutating func touch(_ id: String, at now: Instant) -> SessionRule? {
        guard let session = sessionByID[id], let last = matched[id],
            now.uptime.seconds(since: last) >= Self.touchInterval
        else { return nil }
        var list = list(of: session)
        guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
        matched[id] = now.uptime
        list[index].lastMatch = now.wall
        set(list, of: session)
        return list[index]
    }

    /// False where no rule can have run out: most often, and known without a look at each.
    package func mayExpire(at now: Uptime) -> Bool {
        earliest.map { now.seconds(since: $0) >= Self.lifetime } ?? false
    }

    /// Takes out what has not matched for a day.
    package mutating func expire(at now: Uptime) -> [SessionRule] {
        let expired = list(session: nil).filter { rule in
            matched[rule.id].map { now.seconds(since: $0) >= Self.lifetime } ?? true
        }
        for rule in expired { _ = remove(rule.id) }
        earliest = matched.values.min()
        return expired
    }
}
