import Core
import OrderedJSON
import Services

/// These routes list the machines, sessions and events that were reported.
extension ClaudiatorRoutes {
    func listRoutes(_ base: String) -> [Route] {
        [devices(base), deviceSessions(base), sessions(base), sessionEvents(base)]
    }

    private func devices(_ base: String) -> Route {
        route(Route.reading, .exact("\(base)/devices"), .read) { _ async throws(ClaudiatorFailure) in
            let machines = try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
                try await services.reports.machines()
            }
            return ["devices": .array(machines.map(\.claudiatorObject))]
        }
        .described(
            "The machines that reported, the last one first.", result: .object(["devices": .list(.reportedDevice)]))
    }

    private func deviceSessions(_ base: String) -> Route {
        route(Route.reading, .below("\(base)/devices/", tail: "/sessions"), .read) {
            asked async throws(ClaudiatorFailure) in
            let page = try await page(asked, of: asked.name)
            return ["sessions": .array(page.rows.map(\.claudiatorObject)), "has_more": false, "next_offset": 0]
        }
        .described(
            "The sessions of a machine by their last events; none of a machine that is not known.",
            query: Self.sessionQuery, result: .reportedSessionPage)
    }

    private func sessions(_ base: String) -> Route {
        route(Route.reading, .exact("\(base)/sessions"), .read) { asked async throws(ClaudiatorFailure) in
            let page = try await page(asked, of: nil)
            return [
                "sessions": .array(page.rows.map(\.claudiatorObject)), "has_more": .bool(page.hasMore),
                "next_offset": .count(page.offset + page.rows.count),
            ]
        }
        .described(
            "The sessions of all machines by their last events, the ended ones behind the others.",
            query: Self.sessionQuery + Self.sessionPageQuery, result: .reportedSessionPage)
    }

    private func sessionEvents(_ base: String) -> Route {
        route(Route.reading, .below("\(base)/sessions/", tail: "/events"), .read) {
            asked async throws(ClaudiatorFailure) in
            let limit = try asked.number("limit", else: 100, in: 1...1000)
            let events = try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
                try await services.reports.events(sessionID: asked.name, limit: limit)
            }
            return ["events": .array(events.map(\.claudiatorObject))]
        }
        .described(
            "The events of a session, the newest first; none of a session that is not known.",
            query: [Self.limitQuery(100, 1000)], result: .object(["events": .list(.reportedEvent)]))
    }

    // MARK: Pages of sessions

    private struct Page: Sendable {
        let rows: [ReportedSession]
        let offset: Int
        let hasMore: Bool
    }

    private func page(_ asked: Asked, of machine: String?) async throws(ClaudiatorFailure) -> Page {
        let limit = try asked.number("limit", else: 50, in: 1...200)
        let offset = machine == nil ? try asked.number("offset", else: 0, in: 0...1_000_000) : 0
        guard let choice = try Self.choice(asked, hidesEnded: machine == nil) else {
            return Page(rows: [], offset: offset, hasMore: false)
        }
        // One more tells that there is more.
        let query = ReportedSessionQuery(machineID: machine, choice: choice, limit: limit + 1, offset: offset)
        let rows = try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
            try await services.reports.sessions(query)
        }
        return Page(rows: Array(rows.prefix(limit)), offset: offset, hasMore: rows.count > limit)
    }

    /// `nil` for a choice that no session is of.
    private static func choice(
        _ asked: Asked, hidesEnded: Bool
    ) throws(ClaudiatorFailure) -> ReportedSessionQuery.Choice? {
        let isEndedHidden = hidesEnded ? try flag(asked.parameter("exclude_ended")) : false
        guard let text = asked.parameter("status") else { return isEndedHidden ? .notEnded : .all }
        guard let status = ReportedStatus(rawValue: text), !(isEndedHidden && status == .ended) else { return nil }
        return .status(status)
    }

    private static func flag(_ text: String?) throws(ClaudiatorFailure) -> Bool {
        switch text {
        case nil, "false": false
        case "true": true
        default: throw .malformed("exclude_ended must be true or false")
        }
    }
}

extension ReportedMachine {
    fileprivate var claudiatorObject: JSON {
        [
            "device_id": .string(machine.id), "device_name": .string(machine.name),
            "platform": .string(machine.platform), "first_seen": .string(firstSeen.rfc3339WithMilliseconds),
            "last_seen": .string(lastSeen.rfc3339WithMilliseconds), "active_sessions": .count(openSessions),
        ]
    }
}

extension ReportedSession {
    /// A title that is not there is left out; a directory that is not there is null.
    fileprivate var claudiatorObject: JSON {
        var object: JSONObject = [
            "session_id": .string(id), "device_id": .string(machine.id),
            "started_at": .string(startedAt.rfc3339WithMilliseconds),
            "last_event": .string(lastEvent.rfc3339WithMilliseconds), "status": .string(status.rawValue),
            "cwd": .text(cwd),
        ]
        if let title { object["title"] = .string(title) }
        object["device_name"] = .string(machine.name)
        object["platform"] = .string(machine.platform)
        return .object(object)
    }
}

extension ReportedEvent {
    fileprivate var claudiatorObject: JSON {
        [
            "id": .count(number), "hook_event_name": .string(name), "timestamp": .string(timestamp),
            "tool_name": .text(toolName), "notification_type": .text(notificationType), "message": .text(message),
        ]
    }
}
