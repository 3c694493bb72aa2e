import OrderedJSON

/// Denies that hooks have heard: a tool that runs all the same is an alarm, whoever the agent is.
struct DenyWatch {
    private struct Call: Hashable {
        let session: String
        let toolUse: String
    }

    private struct Entry {
        var deny: IgnoredDeny
        var isHeard: Bool
        /// Until its hook has heard the deny: the record of a call that nobody was asked about, but for its input.
        var unasked: PermissionRequest?
    }

    private var entries: [Call: Entry] = [:]
    /// Oldest first; calls that were forgotten stay until their turn comes.
    private var order: [Call] = []
    private var callByRequest: [String: Call] = [:]

    /// Calls watched at a time; the oldest go first.
    static let limit = 4096

    /// A call was denied before it could run. It counts once its hook has heard so.
    mutating func note(
        _ request: PermissionRequest, _ resolution: Resolution, isHeard: Bool = false, isUnasked: Bool = false
    ) {
        // Beside a dialog the terminal may have been first, and without an id of the agent's no run can be told from another.
        guard resolution.decision == .deny, request.event == .preToolUse, request.toolUseID != request.id else {
            return
        }
        let call = Call(session: request.sessionID, toolUse: request.toolUseID)
        entries[call] = Entry(
            deny: IgnoredDeny(request, resolution), isHeard: isHeard,
            unasked: isUnasked ? request.withoutInput : nil)
        order.append(call)
        callByRequest[request.id] = call
        if order.count > Self.limit { evict() }
    }

    /// Returns the record of a call that nobody was asked about, to be written down again: the next daemon has to know
    /// as well that its hook has heard the deny.
    mutating func heard(_ requestID: String) -> PermissionRequest? {
        guard let call = callByRequest[requestID], var entry = entries[call], entry.deny.requestID == requestID else {
            return nil
        }
        var record = entry.unasked
        record?.resolution?.isDelivered = true
        entry.isHeard = true
        entry.unasked = nil
        entries[call] = entry
        return record
    }

    /// The deny that this run ignores, once.
    mutating func ignored(by toolUse: String, session: String, isUnverified: Bool) -> IgnoredDeny? {
        let call = Call(session: session, toolUse: toolUse)
        guard let entry = entries[call], entry.isHeard, entry.deny.isUnverified == isUnverified else { return nil }
        forget(call)
        return entry.deny
    }

    /// The id stands for a new call: some models count theirs anew with each answer.
    mutating func begin(_ toolUse: String, session: String) {
        forget(Call(session: session, toolUse: toolUse))
    }

    private mutating func forget(_ call: Call) {
        guard let entry = entries.removeValue(forKey: call) else { return }
        callByRequest[entry.deny.requestID] = nil
    }

    private mutating func evict() {
        let gone = order.prefix(Self.limit / 4)
        order.removeFirst(gone.count)
        let kept = Set(order)
        for call in gone where !kept.contains(call) { forget(call) }
    }
}

extension PermissionRequest {
    /// What is written of it leaves the input as it is written already.
    fileprivate var withoutInput: PermissionRequest {
        var request = self
        request.input = KeptJSON(elsewhere: input.size)
        return request
    }
}

/// A call that ran though its hook was told to deny it.
package struct IgnoredDeny: Sendable, Hashable {
    package let requestID: String
    package let toolUseID: String
    package let toolName: String
    package let sessionID: String
    package let cwd: String
    package let deniedBy: Resolver
    package let deniedAt: Timestamp
    package let isUnverified: Bool

    package init(_ request: PermissionRequest, _ resolution: Resolution) {
        requestID = request.id
        toolUseID = request.toolUseID
        toolName = request.toolName
        sessionID = request.sessionID
        cwd = request.cwd
        deniedBy = resolution.resolver
        deniedAt = resolution.at
        isUnverified = request.isUnverified
    }

    /// As a record tells it.
    package init(
        requestID: String, toolUseID: String, toolName: String, sessionID: String, cwd: String, deniedBy: Resolver,
        deniedAt: Timestamp, isUnverified: Bool
    ) {
        self.requestID = requestID
        self.toolUseID = toolUseID
        self.toolName = toolName
        self.sessionID = sessionID
        self.cwd = cwd
        self.deniedBy = deniedBy
        self.deniedAt = deniedAt
        self.isUnverified = isUnverified
    }

    package var agent: Agent { Agent(sessionID: sessionID) }
}

extension BrokerState {
    /// Announced in a minute; all are counted.
    package static let mostIgnoredDenies = 30

    /// The tool of this call has run. An alarm where its hook had heard a deny.
    mutating func alarm(_ useID: String, _ seen: Observation) -> [BrokerEffect] {
        let session = seen.event.sessionID
        let found = denies.ignored(by: useID, session: session, isUnverified: !seen.source.isVerified)
        guard let deny = found else { return [] }
        ignoredDenies += 1
        guard deniesAnnounced.admits(seen.now, most: Self.mostIgnoredDenies) else { return [] }
        return publish(.denyIgnored(deny), session: session, at: seen.now)
    }
}

/// How many were told in the minute that began with the first.
struct MinuteCount {
    private var count = 0
    private var since = Timestamp(milliseconds: 0)

    /// Counts one more; false once `most` were told.
    mutating func admits(_ now: Timestamp, most: Int) -> Bool {
        if !(0..<60).contains(now.seconds(since: since)) { (count, since) = (0, now) }
        count += 1
        return count <= most
    }
}
