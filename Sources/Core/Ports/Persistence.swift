/// One change of what is remembered. Rows are whole values: writing one twice is writing it once.
package enum StoreChange: Sendable, Hashable {
    /// A Claude process has ended.
    case claudeEnded(ProcessIdentity)
    /// A process of Claude's, remembered as long as it lives.
    case claudeProcess(ProcessIdentity)
    case deleteRule(id: String)
    /// The rules that one device granted.
    case deleteGrants(ofDevice: String)
    case deleteRules(sessionID: String)
    indirect case event(EventRecord)
    /// Boxed, as an event and a session are: lists of changes are copied on their way to the disk, and this is half a kilobyte.
    indirect case request(PermissionRequest)
    case rule(SessionRule)
    /// No sequence number above this has been given out.
    case sequenceCeiling(Int64)
    indirect case session(ExternalSession)
}

/// How safely a change must lie before the caller goes on.
package enum Durability: Sendable, Hashable {
    /// On the disk (`synchronous=FULL`): a person's decision, before the hook hears it.
    case full
    /// Written (`NORMAL`): survives `kill -9`, not a power cut. A held request and a new rule, before they are announced.
    case normal
    /// As `full`, and what cannot be written now stays queued in its order until it can be: what takes something away,
    /// before that is confirmed. It is gone in this process either way, and must not be back after the next start.
    case removal
}

/// What is remembered, for the core: one writer, in order.
package protocol Persistence: Sendable {
    /// Writes all of `changes` or none. Everything appended before is written with it, and what is appended until it is
    /// done may be written before it.
    func commit(_ changes: [StoreChange], _ durability: Durability) async throws
    /// Takes changes that may be written up to 50 ms later; never waits.
    func append(_ changes: [StoreChange])
}

/// What the store knew when the daemon started.
package struct Remembered: Sendable {
    /// Open ones, those that people were asked and that ended in the last hour, and the last that were settled at once;
    /// oldest first.
    package var requests: [PermissionRequest]
    package var rules: [SessionRule]
    /// Not ended, oldest first.
    package var sessions: [ExternalSession]
    /// Claude's processes, whatever became of their sessions; some may have ended.
    package var claudes: [ProcessIdentity]
    package var nextSequence: Int64

    package init(
        requests: [PermissionRequest] = [], rules: [SessionRule] = [], sessions: [ExternalSession] = [],
        claudes: [ProcessIdentity] = [], nextSequence: Int64 = 1
    ) {
        self.requests = requests
        self.rules = rules
        self.sessions = sessions
        self.claudes = claudes
        self.nextSequence = nextSequence
    }
}
