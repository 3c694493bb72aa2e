/// The heart: what is asked, what is decided, what is due. A plain value: each input is a mutating call that takes the
/// time and returns what is to be done. It never waits, and it never says "allow" but for a person's or a rule's word.
package struct BrokerState: Sendable {
    package var policy: Policy
    let judge: any RuleJudge
    let claudeRules: any ClaudeRules
    /// Makes an id: the prefix and 128 random bits.
    let makeID: @Sendable (String) -> String
    /// When a process started; `nil` where there is none of this pid.
    let startTime: @Sendable (Int32) -> UInt64?

    var requests = RequestBook()
    var ledger = CallLedger()
    var sessions = SessionBook()
    var ruleBook = RuleBook()
    /// Rules out of force whose deletion is not known to be written, by id.
    var takenBack: [String: SessionRule] = [:]
    /// Ends of sessions that are being written, by session: told once they are, or before the session's next event.
    var endings: [String: SessionEnding] = [:]
    var calls: [CallID: RespondCall] = [:]
    var commits: [CommitID: PendingCommit] = [:]
    var counters = BrokerCounters()
    var approvers = 0
    var agentRefusals = 0
    var lastAgentRefusal: AgentRefusal?
    var refusalsAnnounced = MinuteCount()
    var denies = DenyWatch()
    /// Calls that ran though they were denied, since the daemon started.
    var ignoredDenies = 0
    var deniesAnnounced = MinuteCount()
    var bystanders: [Agent: Bystander] = [:]
    var bystandersAnnounced = MinuteCount()
    /// By id; never forgotten, since what one of them said may still be on its way.
    var revokedDevices: Set<String> = []
    /// Which question each open connection waits for.
    var waiting: [Waiter: String] = [:]
    var nextHousekeeping: Uptime?
    /// Ended questions whose answer nobody has fetched, and until when that is waited for.
    var unheard: [String: Uptime] = [:]

    package init(
        policy: Policy, judge: any RuleJudge, claudeRules: any ClaudeRules,
        makeID: @escaping @Sendable (String) -> String, startTime: @escaping @Sendable (Int32) -> UInt64?
    ) {
        self.policy = policy
        self.judge = judge
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

    /// Numbers the event. Numbers are reserved ahead, so that none is given twice after a crash.
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

    /// The number of a commit that is to be asked for.
    mutating func begin(_ next: PendingCommit) -> CommitID {
        let id = CommitID(number: counters.nextNumber())
        commits[id] = next
        return id
    }
}

/// What goes on once a commit is done.
enum PendingCommit: Hashable {
    /// The questions may be shown.
    case announce([String])
    /// The decisions of these questions are safe, or are not.
    case decide([String])
    /// The session and what went with it are gone for good; its hook, if one said so, waits for that.
    case endSession(String, Waiter?)
    /// The rule is deleted, or is not.
    case revoke(SessionRule, CallID)
}

/// A session's end on its way to the disk.
struct SessionEnding {
    let commit: CommitID
    let event: EventBody
}

/// Answers of one `respond` call that are still being written.
struct RespondCall {
    private(set) var results: [Result<PermissionReceipt, ResponseFailure>?]
    private var missing: Int

    init(count: Int) {
        results = Array(repeating: nil, count: count)
        missing = count
    }

    /// Counted, since a list of a thousand is asked a thousand times.
    var isDone: Bool { missing == 0 }

    mutating func note(_ result: Result<PermissionReceipt, ResponseFailure>, at index: Int) {
        if results[index] == nil { missing -= 1 }
        results[index] = result
    }
}

/// Numbers given out in this run of the daemon.
struct BrokerCounters {
    private var number: UInt64 = 0
    private(set) var next: Int64 = 1
    private var ceiling: Int64 = 0

    /// Sequence numbers reserved at a time; a new block is asked for when half of it is used.
    static let block: Int64 = 100_000

    mutating func nextNumber() -> UInt64 {
        number += 1
        return number
    }

    mutating func start(at sequence: Int64) {
        next = sequence
        ceiling = 0
    }

    mutating func reserve() -> Int64? {
        guard next + Self.block / 2 > ceiling else { return nil }
        ceiling = next + Self.block
        return ceiling
    }

    /// The number, and a new ceiling where one must be written.
    mutating func nextSequence() -> (Int64, Int64?) {
        let raised = reserve()
        next += 1
        return (next - 1, raised)
    }
}
