import Rules

/// The rules in force, by session. A rule ends with its session, when it is revoked, or 24 h after its last match.
package struct RuleBook: Sendable {
    /// The rules of one session, indexed for its calls. Built anew when a rule changes, which happens far less often
    /// than a call.
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
    /// When each rule last matched, or was granted.
    private var matched: [String: Uptime] = [:]
    /// No time in `matched` is earlier than this.
    private var earliest: Uptime?

    /// The most rules of one session. Beyond it the allow rule that has not matched for longest is dropped. A deny rule
    /// in force is never dropped: where all rules are deny rules, no further rule is added.
    package static let limit = 200
    /// Seconds after its last match for which a rule stays in force.
    package static let lifetime: Double = 86_400
    /// Seconds between two notes of a rule's match: a rule lives for a day, so not every match has to be written.
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

    /// The rules of a session, or of all sessions, oldest first.
    package func list(session: String?) -> [SessionRule] {
        let found = session.map { list(of: $0) } ?? sessions.values.flatMap(\.list)
        return found.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    package var count: Int { sessionByID.count }

    /// True where the rule is in force.
    package func holds(_ id: String) -> Bool { sessionByID[id] != nil }

    /// True where so many new rules have room beside the deny rules of the session.
    package func hasRoom(for count: Int, session: String) -> Bool {
        rules(session: session, .deny).all.count + count <= Self.limit
    }

    /// Takes a rule into force, in place of one with the same effect and pattern. Returns the rules that were dropped
    /// for it; where there is no room that is the rule itself.
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
        // The age of a restored rule is known by the wall clock only, which may have been set back meanwhile.
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

    /// Notes a match. Returns the changed rule, to be written; `nil` where the last note is recent.
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

    /// False where no rule can have expired; known without looking at each rule.
    package func mayExpire(at now: Uptime) -> Bool {
        earliest.map { now.seconds(since: $0) >= Self.lifetime } ?? false
    }

    /// Removes and returns the rules that have not matched for `lifetime`.
    package mutating func expire(at now: Uptime) -> [SessionRule] {
        let expired = list(session: nil).filter { rule in
            matched[rule.id].map { now.seconds(since: $0) >= Self.lifetime } ?? true
        }
        for rule in expired { _ = remove(rule.id) }
        earliest = matched.values.min()
        return expired
    }
}
