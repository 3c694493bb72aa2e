import Core
import Platform
import Services

/// Reports in memory: what was taken, and answers that the test gave.
final class FakeReports: ReportService {
    struct State {
        var taken: [SessionReport] = []
        var queries: [ReportedSessionQuery] = []
        var calls: [String] = []
        var machines: [ReportedMachine] = []
        var sessions: [ReportedSession] = []
        var events: [ReportedEvent] = []
        var notices: [KeptReportNotice] = []
        var failure: ReportFailure?
    }

    let state = Locked(State())

    private func step<Value>(_ body: (inout State) -> Value) throws(ReportFailure) -> Value {
        let (value, failure) = state.withLock { (body(&$0), $0.failure) }
        if let failure { throw failure }
        return value
    }

    func take(_ report: SessionReport, by caller: Caller) async throws(ReportFailure) {
        try step { $0.taken.append(report) }
    }

    func versions() async throws(ReportFailure) -> ReportVersions {
        try step { _ in ReportVersions(events: 12, notices: 3) }
    }

    func machines() async throws(ReportFailure) -> [ReportedMachine] { try step { $0.machines } }

    func sessions(_ query: ReportedSessionQuery) async throws(ReportFailure) -> [ReportedSession] {
        try step { state in
            state.queries.append(query)
            return Array(state.sessions.dropFirst(query.offset).prefix(query.limit))
        }
    }

    func events(sessionID: String, limit: Int) async throws(ReportFailure) -> [ReportedEvent] {
        try step { state in
            state.calls.append("events \(sessionID) \(limit)")
            return state.events
        }
    }

    func notices(after place: ReportNoticePlace?, limit: Int) async throws(ReportFailure) -> [KeptReportNotice] {
        try step { state in
            state.calls.append("notices \(place.map { "\($0)" } ?? "all") \(limit)")
            return state.notices
        }
    }

    func acknowledge(_ ids: [String], by caller: Caller) async throws(ReportFailure) {
        try step { $0.calls.append("ack \(ids.joined(separator: ","))") }
    }

    func register(_ registration: PushRegistration, by caller: Caller) async throws(ReportFailure) {
        try step {
            $0.calls.append("push \(registration.token) \(registration.platform) \(registration.isSandbox)")
        }
    }
}
