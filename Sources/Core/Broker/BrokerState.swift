/// The broker's state machine: it holds requests and ends each opening of a request once. Each input is a mutating call
/// that takes the time and returns effects, which `Broker` performs. No call waits, and only a person or a rule can
/// make a hook hear "allow".
package struct BrokerState: Sendable {
    package var policy: Policy
    let evaluator: any RuleEvaluator
    let claudeRules: any ClaudeRules
    /// Makes an id: the prefix, 80 random bits and the time.
    let makeID: @Sendable (String) -> String
    /// When the process with a pid started; `nil` where there is no such process.
    let startTime: @Sendable (Int32) -> UInt64?

    var requests = RequestBook()
    var ledger = CallLedger()
    var sessions = SessionBook()
    var ruleBook = RuleBook()
    /// Rules that were revoked and whose deletion is not confirmed by the store, by id.
    var revokedRules: [String: SessionRule] = [:]
    /// The rules and the gate of each session that was cleared a moment ago, by the pid of its process.
    var cleared: [Int32: ClearedSession] = [:]
    /// Ends of sessions that are being written, by session: published once they are written, or before the session's
    /// next event.
    var endings: [String: SessionEnding] = [:]
    /// Calls of `respond` whose results are not complete.
    var calls: [CallID: RespondCall] = [:]
    var commits: [CommitID: PendingCommit] = [:]
    var counters = BrokerCounters()
    var approvers = 0
    var agentRefusals = 0
    var lastAgentRefusal: AgentRefusal?
    var refusalsAnnounced = MinuteCount()
    var denies = DenyWatch()
    var changed = ChangedCalls()
    /// Calls that ran though they were denied, since the daemon started.
    var ignoredDenies = 0
    var deniesAnnounced = MinuteCount()
    var bystanders: [Agent: Bystander] = [:]
    var bystandersAnnounced = MinuteCount()
    /// Ids of revoked devices. None is forgotten, since an answer of a revoked device may still be on its way.
    var revokedDevices: Set<String> = []
    var unevaluated = EvaluationQueue()
    package var slice = EvaluationSlice()
    /// The request that each waiting connection waits for, by id.
    var waiting: [Waiter: String] = [:]
    var nextHousekeeping: Uptime?
    /// Ended requests whose answer no hook has fetched, and when each of these answers is lost.
    var unheard: [String: Uptime] = [:]

    package init(
        policy: Policy, evaluator: any RuleEvaluator, claudeRules: any ClaudeRules,
        makeID: @escaping @Sendable (String) -> String, startTime: @escaping @Sendable (Int32) -> UInt64?
    ) {
        self.policy = policy
        self.evaluator = evaluator
        self.claudeRules = claudeRules
        self.makeID = makeID
        self.startTime = startTime
    }

    package mutating func approversChanged(to count: Int) {
        approvers = count
    }

    func place(of call: HookCall) -> RulePlace {
        RulePlace(root: sessions[call.event.sessionID]?.root ?? "", cwd: call.event.cwd, shell: call.source.shell)
    }

    /// Publishes an event under the next sequence number. A range of numbers is reserved in the store before it is used,
    /// so that no number is given twice after a crash.
    mutating func publish(_ body: EventBody, session: String, at now: Timestamp) -> [BrokerEffect] {
        let (sequence, ceiling) = counters.nextSequence()
        let event = EventRecord(sequence: sequence, at: now, sessionID: session, body: body)
        return (ceiling.map { [.append([.sequenceCeiling($0)])] } ?? []) + [.publish(event)]
    }

    /// Starts a commit whose outcome comes back as `committed`.
    mutating func commit(
        _ changes: [StoreChange], _ durability: Durability, then next: PendingCommit
    ) -> BrokerEffect {
        .commit(begin(next), changes, durability)
    }

    /// Returns the id for a commit that the caller puts among its effects.
    mutating func begin(_ next: PendingCommit) -> CommitID {
        let id = CommitID(number: counters.nextNumber())
        commits[id] = next
        return id
    }
}

/// The work that goes on once a commit has succeeded or failed.
enum PendingCommit: Hashable {
    /// Show the cards of these requests.
    case announce([String])
    /// Confirm the repeated deny of this request, whose rules are written again.
    case confirm(String, [SessionRule], CallID, index: Int)
    /// End these requests as their pending decisions say.
    case decide([String])
    /// Tell the caller whether the gate of the session is written.
    case gate(session: String, from: Policy.Gate?, to: Policy.Gate?, CallID)
    /// Publish the session's end, and answer the hook that reported the end, if one did.
    case endSession(String, Waiter?)
    /// Write the session's row again, as it is by then.
    case returnSession(String)
    /// Answer the hook of a session that goes on after `/clear` with these rules.
    case inherit(session: String, rules: [String], Waiter)
    /// Tell the caller whether the rule's deletion is written.
    case revoke(SessionRule, CallID)
}

/// The end of a session that is being written.
struct SessionEnding {
    let commit: CommitID
    let event: EventBody
    let session: ExternalSession
    /// The commit has failed.
    var isUnwritten = false

    /// Rules are deleted by session, since one that was granted a moment ago may still be on its way to the disk.
    var write: BrokerEffect { .commit(commit, [.deleteRules(sessionID: session.id), .session(session)], .removal) }
}

/// The results of one `respond` call; some of its decisions are still being written.
struct RespondCall {
    private(set) var results: [Result<PermissionReceipt, ResponseFailure>?]
    private var missing: Int

    init(count: Int) {
        results = Array(repeating: nil, count: count)
        missing = count
    }

    /// True where all results are there. Kept as a count, since a list of a thousand answers checks this a thousand
    /// times.
    var isDone: Bool { missing == 0 }

    mutating func note(_ result: Result<PermissionReceipt, ResponseFailure>, at index: Int) {
        if results[index] == nil { missing -= 1 }
        results[index] = result
    }
}

/// The counters of this run of the daemon: commits, and sequence numbers of events.
struct BrokerCounters {
    private var number: UInt64 = 0
    private(set) var next: Int64 = 1
    private var ceiling: Int64 = 0

    /// Sequence numbers that are reserved at a time; the next block is reserved when half of the last is used.
    static let block: Int64 = 100_000

    mutating func nextNumber() -> UInt64 {
        number += 1
        return number
    }

    mutating func start(at sequence: Int64) {
        next = sequence
        ceiling = 0
    }

    /// Reserves a block; returns the new ceiling, to be written, or `nil` while enough numbers are reserved.
    mutating func reserve() -> Int64? {
        guard next + Self.block / 2 > ceiling else { return nil }
        ceiling = next + Self.block
        return ceiling
    }

    /// Returns the next number and, where a block was reserved for it, the new ceiling, to be written.
    mutating func nextSequence() -> (Int64, Int64?) {
        let raised = reserve()
        next += 1
        return (next - 1, raised)
    }
}
