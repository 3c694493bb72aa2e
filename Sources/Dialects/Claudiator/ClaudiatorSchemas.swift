import Core

// The forms of this dialect, for the document of all routes.

extension ClaudiatorRoutes {
    static let sessionQuery = [
        FieldDescription(
            name: "status", schema: .choice(ReportedStatus.allCases.map(\.rawValue)),
            summary: "only those in this state",
            isRequired: false), limitQuery(50, 200),
    ]

    static let sessionPageQuery = [
        FieldDescription(
            name: "exclude_ended", schema: .boolean, summary: "without those that have ended", isRequired: false),
        FieldDescription(
            name: "offset", schema: .count, summary: "`next_offset` of the page before", isRequired: false),
    ]

    static func limitQuery(_ standard: Int, _ most: Int) -> FieldDescription {
        FieldDescription(
            name: "limit", schema: .integer(in: 1...most), summary: "at most so many; \(standard) without",
            isRequired: false)
    }
}

extension Schema {
    static var claudiatorError: Schema {
        object([
            "error": .choice([
                "bad_request", "forbidden", "internal_error", "not_found", "rate_limited", "unauthorized",
            ]), "message": .string,
        ]).named("ClaudiatorError")
    }

    static var claudiatorDone: Schema { object(["status": .choice(["ok"])]) }

    static var reportVersions: Schema {
        object([
            "status": .choice(["ok"]), "server_version": .string, "data_version": .count,
            "notification_version": .count,
        ])
    }

    static var machineReport: Schema {
        let device = object(["device_id": .string, "device_name": .string, "platform": .string])
        return object(["device": device, "event": hookReport, "timestamp": .time])
    }

    static var hookReport: Schema {
        let text = string.orNull.optional
        return object([
            "session_id": .string, "hook_event_name": .string, "cwd": text, "prompt": text, "notification_type": text,
            "tool_name": text, "message": text,
        ]).setting("additionalProperties", true)
    }

    static var reportedDevice: Schema {
        object([
            "device_id": .string, "device_name": .string, "platform": .string, "first_seen": .time, "last_seen": .time,
            "active_sessions": .count,
        ])
    }

    static var reportedSessionPage: Schema {
        let session = object([
            "session_id": .string, "device_id": .string, "started_at": .time, "last_event": .time,
            "status": .choice(ReportedStatus.allCases.map(\.rawValue)), "cwd": .string.orNull,
            "title": .string.optional, "device_name": .string, "platform": .string,
        ])
        return object(["sessions": .list(session), "has_more": .boolean, "next_offset": .count])
    }

    static var reportedEvent: Schema {
        object([
            "id": .count, "hook_event_name": .string, "timestamp": .string.meaning("as the machine sent it"),
            "tool_name": .string.orNull, "notification_type": .string.orNull, "message": .string.orNull,
        ])
    }

    static var reportNotice: Schema {
        object([
            "id": .string, "event_id": .count, "session_id": .string, "device_id": .string, "title": .string,
            "body": .string, "notification_type": .choice(ReportNotice.Kind.allCases.map(\.rawValue)),
            "created_at": .time, "acknowledged": .boolean,
        ])
    }

    static var acknowledgement: Schema {
        object(["ids": .list(.string).optional, "notification_ids": .list(.string).optional])
    }

    static var pushRegistration: Schema {
        object(["platform": .string, "push_token": .string, "sandbox": .boolean.orNull.optional])
    }
}
