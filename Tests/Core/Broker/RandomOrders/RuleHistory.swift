import Core

/// Every rule that was made, and when it was taken back, as whoever did that knows it.
struct RuleHistory {
    private(set) var made: [String: SessionRule] = [:]
    /// The sessions in which rules went on after `/clear`, and the hooks that told so.
    private var later: [String: [String]] = [:]
    private var starts: [Waiter: [SessionRule]] = [:]
    /// When each rule last settled a call, or was made.
    private var used: [String: Uptime] = [:]
    /// The step in which a rule was taken back.
    private var gone: [String: Int] = [:]
    /// The same where that was confirmed: a new daemon has to know it as well.
    private var goneForGood: [String: Int] = [:]
    private var ends: [Waiter: [String]] = [:]
    private var devices: Set<String> = []
    /// What a person denied for a session and was told is remembered, as long as nobody took it back.
    private var denied: Set<Denied> = []
    private var devicesForGood: Set<String> = []

    mutating func note(_ stage: Stage) {
        for case .rule(let rule) in stage.commits.flatMap(\.changes) where made[rule.id] == nil {
            made[rule.id] = rule
            used[rule.id] = stage.now.uptime
        }
        for case .success(let rule) in stage.revocations.values { goneForGood[rule.id] = gone[rule.id] }
        for (waiter, rules) in ends where stage.answers[waiter] != nil {
            // An end that could not be written holds while this daemon runs.
            if stage.storeWorks { for id in rules { goneForGood[id] = gone[id] } }
            ends[waiter] = nil
        }
        for (waiter, rules) in starts where stage.answers[waiter] != nil {
            for rule in rules where stage.failures[waiter] == nil && isHere(rule) { confirmDeny(rule) }
            starts[waiter] = nil
        }
        for id in devices where stage.isRevoked(device: id) {
            devicesForGood.insert(id)
            for rule in made.values where rule.deviceID == id { goneForGood[rule.id] = gone[rule.id] }
        }
    }

    /// A newer rule with the same pattern takes the place of an older one.
    private struct Denied: Hashable {
        let session: String
        let pattern: String

        init(_ rule: SessionRule) { (session, pattern) = (rule.sessionID, rule.pattern) }
    }

    mutating func confirmDenies(_ rules: [SessionRule], at step: Int) {
        for rule in rules where isInForce(rule.id, after: step) { confirmDeny(rule) }
    }

    private mutating func confirmDeny(_ rule: SessionRule) {
        if rule.effect == .deny { denied.insert(Denied(rule)) }
    }

    /// The rules of a session go on in another one.
    mutating func goOn(_ rules: [SessionRule], _ ended: Waiter, _ started: Waiter) {
        for rule in rules {
            later[rule.id, default: []].append(rule.sessionID)
            gone[rule.id] = nil
            ends[ended]?.removeAll { $0 == rule.id }
        }
        starts[started] = rules
    }

    /// Whether the rule was in force in the session.
    func wasMade(_ id: String, for session: String) -> Bool { sessions(of: id).contains(session) }

    /// False for a rule that was taken back, or went on in yet another session.
    private func isHere(_ rule: SessionRule) -> Bool {
        gone[rule.id] == nil && sessions(of: rule.id).last == rule.sessionID
    }

    /// What was not written has not gone on.
    mutating func daemonBegan(_ rules: [SessionRule]) {
        for rule in rules where sessions(of: rule.id).last != rule.sessionID {
            later[rule.id, default: []].append(rule.sessionID)
        }
    }

    private func sessions(of id: String) -> [String] { (made[id].map { [$0.sessionID] } ?? []) + (later[id] ?? []) }

    /// They end with a session that nobody hears of any more.
    mutating func forgetDenies(_ session: String) { denied = denied.filter { $0.session != session } }

    /// Rules end a day after their last match.
    mutating func dayPassed() { (denied, starts) = ([], [:]) }

    /// A pattern that was denied and confirmed and is not in force.
    func lostDeny(_ stage: Stage) -> String? {
        let inForce = Set(stage.state.rules(session: nil).filter { $0.effect == .deny }.map(Denied.init))
        return denied.subtracting(inForce).first.map { "\($0.pattern) in \($0.session)" }
    }

    mutating func revoke(_ id: String, at step: Int) {
        for session in sessions(of: id) {
            denied = denied.filter { $0.session != session || $0.pattern != made[id]?.pattern }
        }
        if gone[id] == nil { gone[id] = step }
    }

    mutating func revoke(device: String, at step: Int) {
        devices.insert(device)
        for rule in made.values where rule.deviceID == device { revoke(rule.id, at: step) }
    }

    mutating func endSession(_ session: String, _ waiter: Waiter, at step: Int) {
        let rules = made.keys.filter { sessions(of: $0).last == session }
        for id in rules { revoke(id, at: step) }
        ends[waiter] = rules
    }

    /// What nobody confirmed may be back.
    mutating func daemonEnded() {
        (gone, devices, ends, starts) = (goneForGood, devicesForGood, [:], [:])
    }

    func isRevoked(_ caller: Caller) -> Bool { caller.deviceID.map(devices.contains) ?? false }

    /// No daemon will let it in again.
    func isGone(_ caller: Caller) -> Bool { caller.deviceID.map(devicesForGood.contains) ?? false }

    /// Whether the rule was still in force after a step.
    func isInForce(_ id: String, after step: Int) -> Bool { gone[id].map { $0 > step } ?? true }

    /// Seconds since the rule settled a call, up to now.
    mutating func use(_ id: String, at now: Uptime) -> Double {
        let idle = used[id].map { now.seconds(since: $0) } ?? 0
        used[id] = now
        return idle
    }
}
