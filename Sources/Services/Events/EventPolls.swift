package import Core
import Platform

/// Clients without a WebSocket, which call `events/since` again and again, each call waiting for the next event.
package final class EventPolls: Sendable {
    private struct Poll {
        let sequence: Int64
        let device: String?
        let continuation: CheckedContinuation<PollOutcome, Never>
        var timer: (any Cancellable)?
    }

    private struct State {
        var lastNumber = 0
        var polls: [Int: Poll] = [:]
        /// The highest number published.
        var published: Int64 = 0
        var isOver = false
        /// Number of waiting calls by caller, for callers that may decide.
        var waiting: [String: Int] = [:]
        /// Callers whose last call was answered, with the time until which they still count as approvers, because they
        /// are expected to call again.
        var lingering: [String: (until: Uptime, timer: any Cancellable)] = [:]
    }

    /// Seconds for which a client counts as an approver after its last call was answered.
    private static let grace: Double = 10

    private let clock: any TimeSource
    private let changed: ChangeSignal
    private let state = Locked(State())

    /// - Parameter changed: Sent whenever `approvers` may have changed.
    package init(clock: any TimeSource, changed: ChangeSignal) {
        self.clock = clock
        self.changed = changed
    }

    /// Number of callers that poll and may decide (the local user counts as one device): requests are held for them.
    package var approvers: Int {
        state.withLock { Set($0.waiting.keys).union($0.lingering.keys).count }
    }

    /// Ends the polls for this event; the record of this number can be read now.
    package func published(_ sequence: Int64) {
        finish(.event) { state in
            state.published = max(state.published, sequence)
            return state.polls.filter { $0.value.sequence <= sequence }.map(\.key)
        }
    }

    package func close(device: String) {
        finish(.revoked) { state in
            state.waiting[device] = nil
            state.lingering.removeValue(forKey: device)?.timer.cancel()
            return state.polls.filter { $0.value.device == device }.map(\.key)
        }
        changed.send()
    }

    /// Ends all polls; later ones return at once.
    package func end() {
        finish(.nothing) { state in
            state.isOver = true
            for (_, timer) in state.lingering.values { timer.cancel() }
            state.lingering = [:]
            return Array(state.polls.keys)
        }
    }

    private func finish(_ outcome: PollOutcome, _ choose: (inout State) -> [Int]) {
        let polls = state.withLock { state in
            choose(&state).sorted().compactMap { state.polls.removeValue(forKey: $0) }
        }
        for poll in polls {
            poll.timer?.cancel()
            poll.continuation.resume(returning: outcome)
        }
    }
}

extension EventPolls: ApproverSource {}

extension EventPolls: EventListener {
    package func heard(_ event: PublishedEvent) {
        if case .record(let record) = event { published(record.sequence) }
    }
}

extension EventPolls: PollService {
    package func waitForEvent(from sequence: Int64, seconds: Int, by caller: Caller, isApprover: Bool) async
        -> PollOutcome
    {
        let key = isApprover && caller.may(.decide) ? caller.pollKey : nil
        if let key { begin(key) }
        defer { if let key { end(key) } }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Poll(sequence: sequence, device: caller.deviceID, continuation: continuation), number)
                endIn(seconds, number)
            }
        } onCancel: {
            finish(.nothing) { _ in [number] }
        }
    }

    private func add(_ poll: Poll, _ number: Int) {
        // The task may have been cancelled, or the event published, since the last check.
        let isCancelled = Task.isCancelled
        let known = state.withLock { state -> PollOutcome? in
            if isCancelled || state.isOver { return PollOutcome.nothing }
            if state.published >= poll.sequence { return .event }
            state.polls[number] = poll
            return nil
        }
        if let known {
            poll.continuation.resume(returning: known)
        } else if Task.isCancelled {
            finish(.nothing) { _ in [number] }
        }
    }

    /// Ends a poll that waits by then. It is known already, so that a timer which rings at once finds it.
    private func endIn(_ seconds: Int, _ number: Int) {
        guard state.withLock({ $0.polls[number] != nil }) else { return }
        let timer = clock.call(at: clock.uptime + Double(seconds)) { [weak self] in
            self?.finish(.nothing) { _ in [number] }
        }
        state.withLock { state in
            if state.polls[number] == nil { timer.cancel() } else { state.polls[number]?.timer = timer }
        }
    }

    private func begin(_ key: String) {
        state.withLock { state in
            state.waiting[key, default: 0] += 1
            state.lingering.removeValue(forKey: key)?.timer.cancel()
        }
        changed.send()
    }

    private func end(_ key: String) {
        let until = clock.uptime + Self.grace
        let timer = clock.call(at: until) { [weak self] in self?.forget(key, at: until) }
        state.withLock { state in
            // `waiting` has no entry for a device that was revoked meanwhile.
            guard let count = state.waiting[key], !state.isOver else { return timer.cancel() }
            state.waiting[key] = count > 1 ? count - 1 : nil
            guard count == 1 else { return timer.cancel() }
            state.lingering.updateValue((until, timer), forKey: key)?.timer.cancel()
        }
    }

    private func forget(_ key: String, at time: Uptime) {
        state.withLock { state in
            guard state.lingering[key]?.until == time else { return }
            state.lingering[key] = nil
        }
        changed.send()
    }
}

extension Caller {
    /// The device's id; one key for all processes of the user.
    fileprivate var pollKey: String { deviceID ?? "local" }
}
