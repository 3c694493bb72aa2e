import Core

/// A store for a stage: what is queued, and what a killed daemon leaves.
struct Disk {
    var queue: [StoreChange] = []
    private(set) var rules: [String: SessionRule] = [:]
    private var requests: [String: PermissionRequest] = [:]
    private var sessions: [String: ExternalSession] = [:]
    private var claudes: Set<ProcessIdentity> = []
    private var ceiling: Int64 = 0
    private(set) var revokedDevices: Set<String> = []

    /// As `Persistence.commit` says.
    mutating func commit(_ changes: [StoreChange], _ durability: Durability, works: Bool) {
        if works {
            for change in queue + changes { write(change) }
            queue = []
        } else if durability == .removal {
            queue += changes
        }
    }

    private mutating func write(_ change: StoreChange) {
        switch change {
        case .claudeEnded(let process): claudes.remove(process)
        case .claudeProcess(let process): claudes.insert(process)
        case .deleteGrants(ofDevice: let id):
            rules = rules.filter { $0.value.deviceID != id }
            revokedDevices.insert(id)
        case .deleteRule(let id): rules[id] = nil
        case .deleteRules(let session): rules = rules.filter { $0.value.sessionID != session }
        case .event: break
        case .request(let request): requests[request.id] = request.stored
        case .rule(let rule): rules[rule.id] = rule
        case .sequenceCeiling(let number): ceiling = max(ceiling, number)
        case .session(let session): sessions[session.id] = session.endedAt == nil ? session : nil
        }
    }

    /// As the store does with sessions that were silent for long.
    mutating func forgetSessions() { sessions = [:] }

    func request(id: String) -> PermissionRequest? { requests[id] }

    var remembered: Remembered {
        Remembered(
            requests: requests.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) },
            rules: rules.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) },
            sessions: sessions.values.sorted { $0.id < $1.id }, claudes: claudes.sorted { $0.pid < $1.pid },
            nextSequence: ceiling + 1)
    }
}

extension Stage {
    /// Whether no later daemon lets the device in.
    func isRevoked(device id: String) -> Bool { disk.revokedDevices.contains(id) }

    /// What was appended is on the disk, as it is after 50 ms.
    mutating func writeAppended() {
        disk.commit([], .normal, works: true)
    }

    /// `kill -9`, and the next daemon: what was queued is lost, and so is who waited.
    mutating func kill() {
        let old = self
        self = Stage(old.policy, ids: old.ids)
        now = old.now
        disk = old.disk
        disk.queue = []
        commitsAtOnce = old.commitsAtOnce
        lastNumber = old.lastNumber
        state.slice = old.state.slice
        perform(state.restore(disk.remembered, at: now))
    }
}

extension PermissionRequest {
    /// Without what the next daemon has to find out by itself.
    fileprivate var stored: PermissionRequest {
        var copy = self
        (copy.confirm, copy.ruleLimit) = (nil, nil)
        return copy
    }
}

extension ExternalSession {
    static func live(_ id: String) -> ExternalSession {
        ExternalSession(id: id, cwd: "/p", root: "/p", startedAt: Timestamp(milliseconds: 0))
    }
}
