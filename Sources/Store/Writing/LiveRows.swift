import Core

/// The rows in force: all that the next start would need. If the database turns out to be damaged, a new one is filled
/// with them. Their values share storage with the broker's.
struct LiveRows: Sendable {
    private(set) var claudes: Set<ProcessIdentity> = []
    private(set) var devices: [[UInt8]: Device] = [:]
    private(set) var requests: [[UInt8]: PermissionRequest] = [:]
    /// The requests that the start read; they are put into `requests` when the first request is written, since a
    /// dictionary of thousands takes a tenth of the start.
    private var remembered: [PermissionRequest] = []
    private(set) var rules: [[UInt8]: SessionRule] = [:]
    private(set) var sessions: [[UInt8]: ExternalSession] = [:]
    private(set) var workspaces: [[UInt8]: Workspace] = [:]
    private(set) var runSessions: [[UInt8]: RunSession] = [:]
    var ceiling: Int64 = 0
    /// Milliseconds since 1970, see `Meta.termsBegin`; 0 where it could not be read, so that no device has its days again.
    var termsBegin: Int64 = 0
    /// Events up to this number may be missing from the replay.
    var missingThrough: Int64 = 0

    /// The most sessions that a repaired database is filled with, since anybody on this machine can name new sessions.
    private static let sessionLimit = 10_000

    mutating func apply(_ change: StoreChange) {
        switch change {
        case .claudeEnded(let process): claudes.remove(process)
        case .claudeProcess(let process): claudes.insert(process)
        case .deleteRule(let id): rules[key(id)] = nil
        case .deleteGrants(ofDevice: let id): rules = rules.filter { $0.value.deviceID.map(key) != key(id) }
        case .deleteRules(let session): rules = rules.filter { key($0.value.sessionID) != key(session) }
        case .event: break
        case .request(let request):
            takeRemembered()
            requests[key(request.id)] = request.isOpen ? request : nil
        case .rule(let rule): rules[key(rule.id)] = rule
        case .sequenceCeiling(let number): ceiling = max(ceiling, number)
        case .session(let session): note(session)
        }
    }

    /// - Parameter requests: The requests that the start read, before any is written.
    mutating func remember(_ requests: [PermissionRequest]) {
        remembered = requests
    }

    private mutating func takeRemembered() {
        for request in remembered where request.isOpen { requests[key(request.id)] = request }
        remembered = []
    }

    /// A revoked device stays revoked, as in the database.
    mutating func note(_ device: Device) {
        var device = device
        device.revokedAt = devices[key(device.id)]?.revokedAt ?? device.revokedAt
        devices[key(device.id)] = device
    }

    mutating func forgetDevice(id: String) {
        devices[key(id)] = nil
    }

    /// The only one of its directory, as in the database.
    mutating func note(_ workspace: Workspace) {
        let others = workspaces.values.filter { key($0.path) == key(workspace.path) && $0.id != workspace.id }
        for other in others { forgetWorkspace(id: other.id) }
        workspaces[key(workspace.id)] = workspace
    }

    mutating func forgetWorkspace(id: String) {
        workspaces[key(id)] = nil
    }

    mutating func note(_ session: RunSession) {
        runSessions[key(session.id)] = session.phase == .ended ? nil : session
    }

    mutating func forgetSession(id: String) {
        sessions[key(id)] = nil
    }

    private mutating func note(_ session: ExternalSession) {
        guard session.endedAt == nil else {
            sessions[key(session.id)] = nil
            return
        }
        let former = sessions[key(session.id)]
        guard sessions.count < Self.sessionLimit || former != nil else { return }
        sessions[key(session.id)] = session
        if session.tools.isEmpty, let former { sessions[key(session.id)]?.tools = former.tools }
    }

    /// Changes that write all rows but the devices, the workspaces and the ceiling. A request whose input was not read at the start has
    /// none: the next start would show its card with an empty input. Its relay brings the input, and asks anew.
    var changes: [StoreChange] {
        claudes.sorted { $0.pid < $1.pid }.map { .claudeProcess($0) }
            + sessions.values.sorted { $0.id < $1.id }.map { .session($0) }
            + (requests.values + remembered.filter { $0.isOpen }).filter { $0.input.bytesElsewhere == nil }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { .request($0) }
            + rules.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { .rule($0) }
    }

    /// The database compares bytes; Swift's strings are also equal where the same characters are encoded differently.
    private func key(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }
}
