/// One event of an agent's session, as the machine where it runs reports it. Nothing of it is checked: a report is
/// shown to people, and decides nothing.
package struct SessionReport: Sendable, Hashable {
    package let machine: ReportingMachine
    package let sessionID: String
    /// The name of the hook, in the agent's spelling.
    package let name: String
    /// The time of the event as the machine spelled it.
    package let timestamp: String
    package let cwd: String?
    package let message: String?
    package let notificationType: String?
    package let toolName: String?
    /// The title that this event gives a session that has none: the beginning of the user's prompt.
    package let title: String?
    /// The state behind the event where the reporter knows it; else the event's name tells.
    package let status: ReportedStatus?
    /// The request of this machine that the event is about.
    package let card: ReportedCard?

    /// The most bytes of an id; a longer one is refused, because two that are cut could become one.
    package static let longestID = 256
    /// The most bytes of a name of a hook, a tool, a machine, and of a time; longer ones are cut.
    private static let longestName = 256
    /// Linux takes no longer path.
    private static let longestPath = 4096
    /// A row of the list of events shows two lines of it.
    private static let longestMessage = 1024
    private static let longestTitle = 200

    /// Texts are cut to their ceilings.
    package init(
        machine: ReportingMachine, sessionID: String, name: String, timestamp: String, cwd: String? = nil,
        message: String? = nil, notificationType: String? = nil, toolName: String? = nil, prompt: String? = nil,
        status: ReportedStatus? = nil, card: ReportedCard? = nil
    ) {
        self.machine = ReportingMachine(
            id: machine.id, name: machine.name.cut(to: Self.longestName),
            platform: machine.platform.cut(to: Self.longestName))
        self.sessionID = sessionID
        self.name = name.cut(to: Self.longestName)
        self.timestamp = timestamp.cut(to: Self.longestName)
        self.cwd = cwd?.cut(to: Self.longestPath)
        self.message = message?.cut(to: Self.longestMessage)
        self.notificationType = notificationType?.cut(to: Self.longestName)
        self.toolName = toolName?.cut(to: Self.longestName)
        title = name == "UserPromptSubmit" ? Self.title(of: prompt) : nil
        self.status = status
        self.card = card
    }

    private init(_ report: SessionReport, of machine: ReportingMachine) {
        self.machine = machine
        (sessionID, name, timestamp) = (report.sessionID, report.name, report.timestamp)
        (cwd, message, title, status) = (report.cwd, report.message, report.title, report.status)
        (notificationType, toolName, card) = (report.notificationType, report.toolName, report.card)
    }

    /// The same report, of another machine.
    package func moved(to machine: ReportingMachine) -> SessionReport { SessionReport(self, of: machine) }

    /// `nil` for an empty prompt, so that a later one can give the title.
    private static func title(of prompt: String?) -> String? {
        guard let prompt, !prompt.isEmpty else { return nil }
        let start = prompt.cut(to: longestTitle)
        return start.utf8.count < prompt.utf8.count ? start + "…" : prompt
    }
}

/// A machine that reports, as it names itself.
package struct ReportingMachine: Sendable, Hashable {
    package let id: String
    package let name: String
    /// `mac`, `linux`, `windows`, or another word.
    package let platform: String

    package init(id: String, name: String, platform: String) {
        self.id = id
        self.name = name
        self.platform = platform
    }
}
