package import OrderedJSON

/// One change of the database. Rows are whole values, so writing a change twice has the effect of writing it once.
package enum StoreChange: Sendable, Hashable {
    /// A Claude process has ended.
    case claudeEnded(ProcessIdentity)
    /// A Claude process, stored as long as it lives.
    case claudeProcess(ProcessIdentity)
    case deleteRule(id: String)
    /// The rules that one device granted.
    case deleteGrants(ofDevice: String)
    case deleteRules(sessionID: String)
    indirect case event(EventRecord)
    /// Indirect, as events and sessions are: lists of changes are copied on their way to the disk, and this value has
    /// half a kilobyte.
    indirect case request(PermissionRequest)
    case rule(SessionRule)
    /// No sequence number above this was given out.
    case sequenceCeiling(Int64)
    indirect case session(ExternalSession)
}

/// The state that a change must reach before the caller goes on.
package enum Durability: Sendable, Hashable {
    /// On the disk (`synchronous=FULL`): for a person's decision, before the hook is answered.
    case full
    /// Written (`NORMAL`): survives `kill -9`, but no power cut. For a held request and a new rule, before they are
    /// announced.
    case normal
    /// As `full`, and a change that cannot be written now stays queued in its order. For revocations and other
    /// removals, before they are confirmed: the value is gone in this process either way, and must not be back after
    /// the next start.
    case removal
}

/// The database, as Core needs it: one writer, in order.
package protocol Persistence: Sendable {
    /// Writes all of `changes` or none. Changes appended before are written with them; changes appended until this
    /// returns may be written before them.
    func commit(_ changes: [StoreChange], _ durability: Durability) async throws
    /// Takes changes that may be written up to 50 ms later; never waits.
    func append(_ changes: [StoreChange])
    /// The input that a person allowed instead of the request's, in the last resolution of its present opening.
    func changedInput(ofRequest id: String) async throws -> KeptJSON?
}

/// The state that the database had at the start.
package struct Remembered: Sendable {
    /// Open requests, those that people were asked and that ended in the last hour, and the last that were settled at
    /// once; oldest first. A start reads a bounded part of their inputs and of the changed inputs of answers; the others
    /// are `KeptJSON(elsewhere:)`.
    package var requests: [PermissionRequest]
    package var rules: [SessionRule]
    /// Sessions that have not ended, oldest first.
    package var sessions: [ExternalSession]
    /// Claude processes, whatever happened to their sessions; some may have ended.
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
