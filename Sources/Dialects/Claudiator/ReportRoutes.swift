import Core
import OrderedJSON
import Services
import Wire

/// These routes take what `claudiator-hook`, and hooks of the type `http`, report of a machine.
extension ClaudiatorRoutes {
    func reportRoutes(_ base: String) -> [Route] { [events(base), hook(base)] }

    static let done: JSON = ["status": "ok"]

    private func events(_ base: String) -> Route {
        route(["POST"], .exact("\(base)/events"), .report, isReport: true) { asked async throws(ClaudiatorFailure) in
            let report = try await services.bodies.read(asked.body) { bytes throws(ClaudiatorFailure) in
                try Self.report(ReportMembers(bytes))
            }
            return try await take(report, asked.caller)
        }
        .described("Takes an event of a session on another machine.", body: .machineReport, result: .claudiatorDone)
    }

    private static func report(_ body: ReportMembers) throws(ClaudiatorFailure) -> SessionReport {
        let device = try body.members("device")
        let machine = ReportingMachine(
            id: try device.text("device_id"), name: try device.text("device_name", isNeeded: false),
            platform: try device.text("platform", isNeeded: false))
        let timestamp = try body.text("timestamp", isNeeded: false)
        let report = try body.members("event").report(of: machine, at: timestamp)
        guard Timestamp(rfc3339: timestamp) != nil else { throw .invalid("timestamp must be valid RFC 3339") }
        return report
    }

    /// The input of a hook as the agent sends it; the machine is in headers.
    private func hook(_ base: String) -> Route {
        route(["POST"], .exact("\(base)/hooks/http"), .report, isReport: true) {
            asked async throws(ClaudiatorFailure) in
            let machine = try Self.machine(in: asked.headers)
            let now = services.clock.now().wall.rfc3339WithMilliseconds
            let report = try await services.bodies.read(asked.body) { bytes throws(ClaudiatorFailure) in
                try ReportMembers(bytes).report(of: machine, at: now)
            }
            return try await take(report, asked.caller)
        }
        .described(
            "Takes a hook's input as the agent sends it. `X-Claudiator-Device-Id`, `X-Claudiator-Device-Name` and "
                + "`X-Claudiator-Platform` name the machine.", body: .hookReport, result: .claudiatorDone)
    }

    private static func machine(in headers: HTTPHeaders) throws(ClaudiatorFailure) -> ReportingMachine {
        func value(_ meaning: String, _ names: [String]) throws(ClaudiatorFailure) -> String {
            for name in names {
                if let text = headers[name]?.trimmed, !text.isEmpty { return text }
            }
            throw .invalid("\(meaning) header is required (\(names.joined(separator: " or ")))")
        }
        return ReportingMachine(
            id: try value("Device id", ["X-Claudiator-Device-Id", "X-Device-Id"]),
            name: try value("Device name", ["X-Claudiator-Device-Name", "X-Device-Name"]),
            platform: try value("Platform", ["X-Claudiator-Platform", "X-Device-Platform"]))
    }

    private func take(_ report: SessionReport, _ caller: Caller) async throws(ClaudiatorFailure) -> JSON {
        try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
            try await services.reports.take(report, by: caller)
        }
        return Self.done
    }
}

extension String {
    /// Without spaces and tabs at its ends.
    var trimmed: String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
