package import Core
import Platform

/// Takes reports of sessions, and decides which of them people are told of.
package final class ReportManager: ReportService {
    private let store: any ReportStore
    private let clock: any TimeSource
    private let limits: ReportLimits
    private let listener: (any ReportListener)?
    private let cooldowns = Locked(ReportCooldowns())

    package init(
        store: any ReportStore, limits: ReportLimits = ReportLimits(), listener: (any ReportListener)? = nil,
        clock: any TimeSource
    ) {
        self.store = store
        self.limits = limits
        self.listener = listener
        self.clock = clock
    }

    package func take(_ report: SessionReport, by caller: Caller) async throws(ReportFailure) {
        guard caller.may(.report) else { throw .forbidden }
        try await take(report, reporter: caller.reporter)
    }

    var now: Timestamp { clock.now().wall }

    /// This machine, by the id that it has in the database: the one that it reported by first.
    func ownMachine(else machine: ReportingMachine) async -> ReportingMachine {
        guard let id = try? await store.ownMachineID() else { return machine }
        return ReportingMachine(id: id, name: machine.name, platform: machine.platform)
    }

    func take(_ report: SessionReport, reporter: String) async throws(ReportFailure) {
        try Self.check(report)
        let now = clock.now()
        let notice = ReportNotice(of: report).flatMap { notice in
            cooldowns.withLock {
                $0.admits(notice, session: report.sessionID, reporter: reporter, at: now.uptime)
            } ? notice : nil
        }
        let received = ReceivedReport(
            report: report, reporter: reporter, notice: notice, noticeID: UUIDText.random(), at: now.wall)
        switch try await stored({ try await self.store.take(received) }) {
        case .done: break
        case .machineOfAnother: throw .ofAnother(member: "device_id")
        case .sessionOfAnother: throw .ofAnother(member: "session_id")
        case .tooManyMachines: throw .tooManyMachines(limit: limits.mostMachines)
        }
        if let notice { await tell(notice, received) }
    }

    /// Tells the listener of the notification, unless the report was passed over. Where the database cannot be read nobody
    /// is told: the report itself is kept.
    private func tell(_ notice: ReportNotice, _ received: ReceivedReport) async {
        guard let listener, listener.takesReports,
            let kept = try? await store.reportNotice(id: received.noticeID)
        else { return }
        listener.kept(ReportedNotice(kept, of: notice, in: received.report))
    }

    private static func check(_ report: SessionReport) throws(ReportFailure) {
        for (member, id) in [("device_id", report.machine.id), ("session_id", report.sessionID)]
        where id.utf8.count > SessionReport.longestID {
            throw .tooLong(member: member, limit: SessionReport.longestID)
        }
    }

    package func versions() async throws(ReportFailure) -> ReportVersions {
        try await stored { try await self.store.reportVersions() }
    }

    package func machines() async throws(ReportFailure) -> [ReportedMachine] {
        try await stored { try await self.store.reportedMachines() }
    }

    package func sessions(_ query: ReportedSessionQuery) async throws(ReportFailure) -> [ReportedSession] {
        try await stored { try await self.store.reportedSessions(query) }
    }

    package func events(sessionID: String, limit: Int) async throws(ReportFailure) -> [ReportedEvent] {
        try await stored { try await self.store.reportedEvents(sessionID: sessionID, limit: limit) }
    }

    package func notices(
        after place: ReportNoticePlace?, limit: Int
    ) async throws(ReportFailure) -> [KeptReportNotice] {
        try await stored { try await self.store.reportNotices(after: place, limit: limit) }
    }

    package func acknowledge(_ ids: [String], by caller: Caller) async throws(ReportFailure) {
        guard caller.may(.decide) else { throw .forbidden }
        try await stored { try await self.store.acknowledgeReportNotices(ids) }
    }

    package func register(_ registration: PushRegistration, by caller: Caller) async throws(ReportFailure) {
        guard caller.may(.decide) else { throw .forbidden }
        guard registration.token.utf8.count <= Self.longestToken else {
            throw .tooLong(member: "push_token", limit: Self.longestToken)
        }
        let kept = KeptRegistration(registration, reporter: caller.reporter, registeredAt: clock.now().wall)
        try await stored { try await self.store.keep(kept) }
        if let listener, await !listener.registered(kept) { throw .forbidden }
    }

    /// Bytes. Apple's have 64 digits, though it may make them longer; Google's have some 160 characters.
    private static let longestToken = 1024

    private func stored<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws(ReportFailure) -> Value {
        do { return try await body() } catch { throw .store("\(error)") }
    }
}

extension Caller {
    /// The id that reports are counted for: the device's. Processes of this machine share one that no device has.
    fileprivate var reporter: String { deviceID ?? Self.localReporter }

    static let localReporter = "local"
}
