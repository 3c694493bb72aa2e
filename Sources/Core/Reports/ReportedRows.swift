/// A machine with what its reports came to.
package struct ReportedMachine: Sendable, Hashable {
    package let machine: ReportingMachine
    package let firstSeen: Timestamp
    package let lastSeen: Timestamp
    /// The sessions that have not ended.
    package let openSessions: Int

    package init(machine: ReportingMachine, firstSeen: Timestamp, lastSeen: Timestamp, openSessions: Int) {
        self.machine = machine
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.openSessions = openSessions
    }
}

/// A session as its machine reported it. It is shown; nobody can answer or drive it here.
package struct ReportedSession: Sendable, Hashable {
    package let id: String
    package let machine: ReportingMachine
    package let startedAt: Timestamp
    package let lastEvent: Timestamp
    package let status: ReportedStatus
    package let cwd: String?
    package let title: String?

    package init(
        id: String, machine: ReportingMachine, startedAt: Timestamp, lastEvent: Timestamp, status: ReportedStatus,
        cwd: String?, title: String?
    ) {
        self.id = id
        self.machine = machine
        self.startedAt = startedAt
        self.lastEvent = lastEvent
        self.status = status
        self.cwd = cwd
        self.title = title
    }
}

/// An event as its machine reported it.
package struct ReportedEvent: Sendable, Hashable {
    /// Rises with each report, also across restarts.
    package let number: Int64
    package let name: String
    package let timestamp: String
    package let toolName: String?
    package let notificationType: String?
    package let message: String?

    package init(
        number: Int64, name: String, timestamp: String, toolName: String?, notificationType: String?, message: String?
    ) {
        self.number = number
        self.name = name
        self.timestamp = timestamp
        self.toolName = toolName
        self.notificationType = notificationType
        self.message = message
    }
}

/// A notification of a reported session, as it is kept for clients.
package struct KeptReportNotice: Sendable, Hashable {
    package let id: String
    package let eventNumber: Int64
    package let sessionID: String
    package let machineID: String
    package let kind: ReportNotice.Kind
    package let title: String
    package let body: String
    package let createdAt: Timestamp
    /// True once a client said so, for all clients.
    package let isAcknowledged: Bool

    package init(
        id: String, eventNumber: Int64, sessionID: String, machineID: String, kind: ReportNotice.Kind, title: String,
        body: String, createdAt: Timestamp, isAcknowledged: Bool
    ) {
        self.id = id
        self.eventNumber = eventNumber
        self.sessionID = sessionID
        self.machineID = machineID
        self.kind = kind
        self.title = title
        self.body = body
        self.createdAt = createdAt
        self.isAcknowledged = isAcknowledged
    }
}

/// Two numbers by which a client that polls learns that something is new. Both survive restarts.
package struct ReportVersions: Sendable, Hashable {
    /// Rises with each reported event.
    package let events: Int64
    /// Rises with each notification that is kept.
    package let notices: Int64

    package init(events: Int64, notices: Int64) {
        self.events = events
        self.notices = notices
    }
}

/// A client's address at a push service, as it registered it.
package struct PushRegistration: Sendable, Hashable {
    package let token: String
    package let platform: String
    /// True for an app that its developer runs.
    package let isSandbox: Bool

    package init(token: String, platform: String, isSandbox: Bool) {
        self.token = token
        self.platform = platform
        self.isSandbox = isSandbox
    }
}

/// A registration as it is kept.
package struct KeptRegistration: Sendable, Hashable {
    package let registration: PushRegistration
    /// The id of the device that registered it; `local` for a process of this machine.
    package let reporter: String
    /// The last time that the app registered.
    package let registeredAt: Timestamp

    package init(_ registration: PushRegistration, reporter: String, registeredAt: Timestamp) {
        self.registration = registration
        self.reporter = reporter
        self.registeredAt = registeredAt
    }

    /// The id of the notice channel that sends to this app; `nil` for an app that nothing is sent to: one that is not
    /// Apple's, or whose token is none of Apple's, which are hexadecimal.
    package var channelID: String? {
        let token = registration.token
        let isToken = (2...200).contains(token.utf8.count) && token.utf8.allSatisfy(\.isHexadecimal)
        return registration.platform == "ios" && isToken ? "apns \(token.lowercased())" : nil
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
