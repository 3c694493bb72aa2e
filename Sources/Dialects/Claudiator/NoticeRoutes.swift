import Core
import OrderedJSON
import Services

/// Notifications of reported sessions, and where to push them to.
extension ClaudiatorRoutes {
    func noticeRoutes(_ base: String) -> [Route] { [notifications(base), acknowledgement(base), registration(base)] }

    private func notifications(_ base: String) -> Route {
        route(Route.reading, .exact("\(base)/notifications"), .read) { asked async throws(ClaudiatorFailure) in
            let limit = try asked.number("limit", else: 50, in: 1...200)
            let place = asked.parameter("after").map { text in
                Timestamp(rfc3339: text).map(ReportNoticePlace.time) ?? .id(text.lowercased())
            }
            let notices = try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
                try await services.reports.notices(after: place, limit: limit)
            }
            return ["notifications": .array(notices.map(\.claudiatorObject))]
        }
        .described(
            "The notifications of the last day, the oldest first.",
            query: [
                FieldDescription(
                    name: "after", schema: .string,
                    summary: "only those behind this time, or behind the one of this id",
                    isRequired: false), Self.limitQuery(50, 200),
            ], result: .object(["notifications": .list(.reportNotice)]))
    }

    /// The app's own name for the list is `notification_ids`, the server's was `ids`.
    private func acknowledgement(_ base: String) -> Route {
        route(["POST"], .exact("\(base)/notifications/ack"), .decide) { asked async throws(ClaudiatorFailure) in
            let ids = try await services.bodies.read(asked.body) { bytes throws(ClaudiatorFailure) in
                let body = try ReportMembers(bytes)
                let lists = [
                    try body.strings("ids", atMost: 1000), try body.strings("notification_ids", atMost: 1000),
                ].compactMap(\.self)
                guard !lists.isEmpty else { throw .invalid("ids is required") }
                return lists.flatMap(\.self)
            }
            try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
                try await services.reports.acknowledge(ids, by: asked.caller)
            }
            return Self.done
        }
        .described(
            "Marks notifications as read, for all devices; ids that are not known are passed over.",
            body: .acknowledgement, result: .claudiatorDone)
    }

    private func registration(_ base: String) -> Route {
        route(["POST"], .exact("\(base)/push/register"), .decide) { asked async throws(ClaudiatorFailure) in
            let registration = try await services.bodies.read(asked.body) { bytes throws(ClaudiatorFailure) in
                let body = try ReportMembers(bytes)
                let platform = try body.text("platform")
                return PushRegistration(
                    token: try body.text("push_token"), platform: platform.count > 32 ? "other" : platform,
                    isSandbox: try body.boolean("sandbox") ?? false)
            }
            try await ClaudiatorFailure.answering { () async throws(ReportFailure) in
                try await services.reports.register(registration, by: asked.caller)
            }
            return Self.done
        }
        .described(
            "Keeps the address of an app at its push service. With `notify.apns` its notifications are pushed there (iOS).",
            body: .pushRegistration,
            result: .claudiatorDone)
    }
}

extension KeptReportNotice {
    fileprivate var claudiatorObject: JSON {
        [
            "id": .string(id), "event_id": .count(eventNumber), "session_id": .string(sessionID),
            "device_id": .string(machineID), "title": .string(title), "body": .string(body),
            "notification_type": .string(kind.rawValue), "created_at": .string(createdAt.rfc3339WithMilliseconds),
            "acknowledged": .bool(isAcknowledged),
        ]
    }
}
