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
    /// The last match of each rule that matched since it was written: not every match is written.
    private var used: [String: Timestamp] = [:]
    /// Grows with each rule that goes out of force.
    package private(set) var removals = 0
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
        return found.map(latest).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    private func latest(_ rule: SessionRule) -> SessionRule {
        var rule = rule
        rule.lastMatch = used[rule.id] ?? rule.lastMatch
        return rule
    }

    package var count: Int { sessionByID.count }

    /// True where the rule is in force.
    package func holds(_ id: String) -> Bool { sessionByID[id] != nil }

    /// True where so many new rules have room beside the deny rules of the session.
    package func hasRoom(for count: Int, session: String) -> Bool {
        rules(session: session, .deny).all.count + count <= Self.limit
    }

    /// Takes rules into force, each in place of one with the same effect and pattern. Returns the rules that were dropped
    /// for them; where there is no room for a rule that is the rule itself. Each session's index is built once, for that
    /// reads all its rules.
    /// - Parameter new: The last match where that is known better than by the wall clock, else `nil`.
    package mutating func add(_ new: [(rule: SessionRule, matched: Uptime?)], at now: Instant) -> [SessionRule] {
        var (lists, dropped): ([String: [SessionRule]], [SessionRule]) = ([:], [])
        for (rule, known) in new {
            dropped += Self.insert(rule, into: &lists[rule.sessionID, default: list(of: rule.sessionID)])
            sessionByID[rule.id] = rule.sessionID
            // The age of a restored rule is known by the wall clock only, which may have been set back meanwhile.
            let last = known ?? now.uptime + -max(0, now.wall.seconds(since: rule.lastMatch))
            matched[rule.id] = last
            earliest = min(earliest ?? last, last)
        }
        for (session, list) in lists { set(list, of: session) }
        for old in dropped { forget(old.id) }
        return dropped
    }

    package mutating func add(_ rule: SessionRule, at now: Instant) -> [SessionRule] {
        add([(rule, nil)], at: now)
    }

    private static func insert(_ rule: SessionRule, into list: inout [SessionRule]) -> [SessionRule] {
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
        return dropped
    }

    package mutating func remove(_ id: String) -> SessionRule? {
        guard let session = sessionByID[id] else { return nil }
        return remove(session: session) { $0.id == id }.first
    }

    /// Takes the rules that match out of force: of one session, or of all.
    package mutating func remove(
        session: String? = nil, where matches: (SessionRule) -> Bool
    ) -> [SessionRule] {
        var removed: [SessionRule] = []
        for session in session.map({ [$0] }) ?? sessions.keys.sorted() {
            let list = list(of: session)
            let gone = list.filter(matches)
            guard !gone.isEmpty else { continue }
            for rule in gone { forget(rule.id) }
            set(list.filter { !matches($0) }, of: session)
            removed += gone
        }
        return removed
    }

    /// The rules of a session with the time of each one's last match.
    package func matches(session: String) -> [(rule: SessionRule, matched: Uptime)] {
        list(session: session).compactMap { rule in matched[rule.id].map { (rule, $0) } }
    }

    package mutating func removeAll(session: String) -> [SessionRule] {
        let removed = sessions.removeValue(forKey: session)?.list ?? []
        for rule in removed { forget(rule.id) }
        return removed
    }

    private mutating func forget(_ id: String) {
        removals += 1
        sessionByID[id] = nil
        matched[id] = nil
        used[id] = nil
    }

    /// Notes a match. Returns the changed rule, to be written; `nil` where the last note is recent.
    package mutating func touch(_ id: String, at now: Instant) -> SessionRule? {
        guard let session = sessionByID[id], let last = matched[id] else { return nil }
        used[id] = now.wall
        guard now.uptime.seconds(since: last) >= Self.touchInterval else { return nil }
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
        let matched = matched
        let expired = remove { rule in matched[rule.id].map { now.seconds(since: $0) >= Self.lifetime } ?? true }
        earliest = self.matched.values.min()
        return expired
    }
}
