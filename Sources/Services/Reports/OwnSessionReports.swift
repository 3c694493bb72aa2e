package import Core
import Platform

/// Reports the sessions of this machine, from the events that the daemon records anyway. Beside the loop and behind a
/// bounded queue, so that no hook waits for a report.
package final class OwnSessionReports: EventListener {
    private let manager: ReportManager
    private let machine: ReportingMachine
    private let log: any Log
    private let reports: AsyncStream<SessionReport>
    private let continuation: AsyncStream<SessionReport>.Continuation
    private let asked = Locked(AskedSessions())
    private let work = Locked<Task<Void, Never>?>(nil)

    /// The most reports that wait; the oldest are dropped. They are written within milliseconds, so more only wait while
    /// the disk hangs.
    private static let mostWaiting = 1000

    /// - Parameter machine: With the name that people know it by; its id is used until the database has another one.
    package init(_ manager: ReportManager, machine: ReportingMachine, log: any Log) {
        self.manager = manager
        self.machine = machine
        self.log = log
        (reports, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    package func begin() {
        work.withLock { work in work = Task.detached { [self] in await follow() } }
    }

    /// Writes what waits.
    package func end() async {
        continuation.finish()
        await work.withLock { $0 }?.value
    }

    private func follow() async {
        var failures = 0
        let machine = await manager.ownMachine(else: machine)
        for await report in reports {
            do throws(ReportFailure) {
                try await manager.take(report.moved(to: machine), reporter: "")
                failures = 0
            } catch {
                failures += 1
                if failures == 1 { log.warning("a session's event was not kept for other machines: \(error)") }
            }
        }
    }

    package func heard(_ event: PublishedEvent) {
        guard case .record(let record) = event, let report = report(of: record) else { return }
        continuation.yield(report)
    }

    /// To be called with each hook: of some the daemon records no event.
    package func noted(_ event: AgentEvent) {
        switch (event.name, event.details.notice) {
        case (.notification, .idle): continuation.yield(report("Notification", event, type: "idle_prompt"))
        case (.subagentStop, _): continuation.yield(report("SubagentStop", event))
        default: break
        }
    }

    private func report(of record: EventRecord) -> SessionReport? {
        switch record.body {
        case .sessionStart(let event): return report("SessionStart", event)
        case .prompt(let event):
            return report("UserPromptSubmit", event, prompt: event.details.isReport ? nil : event.details.prompt)
        case .stop(let event): return report("Stop", event)
        case .notification(let event): return report("Notification", event, type: "permission_prompt")
        case .sessionEnd(let id, let cwd, _):
            asked.withLock { $0.end(id) }
            return report("SessionEnd", id, cwd, at: record.at)
        case .permission(let request): return request.isUnverified ? nil : asking(request, at: record.at)
        case .permissionResolved(let request, _, corrects: false): return answered(request, at: record.at)
        default: return nil
        }
    }

    /// A call that was asked about before, at another of its hooks, is the same dialog for people.
    private func asking(_ request: PermissionRequest, at time: Timestamp) -> SessionReport {
        let isNew = asked.withLock { $0.ask(request) }
        return report(
            isNew ? "PermissionRequest" : "Notification", request.sessionID, request.cwd, at: time,
            type: isNew ? nil : "permission_prompt", tool: request.toolName,
            card: ReportedCard(requestID: request.id, deadline: request.deadline))
    }

    /// `nil` while another request of the session is open.
    private func answered(_ request: PermissionRequest, at time: Timestamp) -> SessionReport? {
        guard asked.withLock({ $0.answer(request) }) else { return nil }
        return report(
            "PermissionResolved", request.sessionID, request.cwd, at: time, tool: request.toolName, status: .active)
    }

    private func report(_ name: String, _ event: AgentEvent, type: String? = nil, prompt: String? = nil)
        -> SessionReport
    {
        report(name, event.sessionID, event.cwd, at: manager.now, type: type, prompt: prompt)
    }

    private func report(
        _ name: String, _ session: String, _ cwd: String, at time: Timestamp, type: String? = nil, tool: String? = nil,
        prompt: String? = nil, status: ReportedStatus? = nil, card: ReportedCard? = nil
    ) -> SessionReport {
        SessionReport(
            machine: machine, sessionID: session, name: name, timestamp: time.rfc3339WithMilliseconds,
            cwd: cwd.isEmpty ? nil : cwd, notificationType: type, toolName: tool, prompt: prompt, status: status,
            card: card)
    }
}

/// The requests that are open, and the calls that were asked about last.
private struct AskedSessions: Sendable {
    private var open: [String: Set<String>] = [:]
    private var calls: [String] = []

    /// So many calls are remembered; of an older one a person is told again.
    private static let mostCalls = 256

    /// Returns false for a call that was asked about before.
    mutating func ask(_ request: PermissionRequest) -> Bool {
        open[request.sessionID, default: []].insert(request.id)
        guard !calls.contains(request.toolUseID) else { return false }
        calls.append(request.toolUseID)
        if calls.count > Self.mostCalls { calls.removeFirst() }
        return true
    }

    /// Returns true once no request of the session is open.
    mutating func answer(_ request: PermissionRequest) -> Bool {
        guard open[request.sessionID]?.remove(request.id) != nil else { return false }
        guard open[request.sessionID]?.isEmpty == true else { return false }
        open[request.sessionID] = nil
        return true
    }

    mutating func end(_ session: String) { open[session] = nil }
}
