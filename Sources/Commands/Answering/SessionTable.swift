import Core
import OrderedJSON

/// The table of sessions. A column in which no session has anything is left out.
struct SessionTable {
    private struct Column {
        let header: String
        let isCut: Bool
        let cell: (JSON) -> String

        init(_ header: String, isCut: Bool = false, _ cell: @escaping (JSON) -> String) {
            self.header = header
            self.isCut = isCut
            self.cell = cell
        }
    }

    private let columns: [Column]
    private let sessions: [JSON]

    /// Characters of a title; it is the beginning of a prompt where nobody gave one.
    private static let longestTitle = 120

    init(_ sessions: [JSON]) {
        self.sessions = sessions
        let names = ProjectNames(sessions.map(Self.place))
        let runs = sessions.compactMap { $0["run"]?.text("id") }
        let all = [
            Column("SESSION") { String(SessionChoice.ownID($0).shown(40).prefix(8)) },
            Column("STATE", Self.state),
            Column("RUN BY CDEV") { $0["run"].map { ShortID.text($0.text("id"), among: runs).shown(20) } ?? "" },
            Column("MACHINE", isCut: true) { $0.text("machine").cell },
            Column("AGENT") { $0.text("agent") == "claude" ? "" : $0.text("agent").shown(20) },
            Column("MODE") { $0.text("permission_mode") == "default" ? "" : $0.text("permission_mode").shown(20) },
            Column("GATE") { $0["gate_own"]?.boolValue == true ? $0.text("gate").shown(20) + " (own)" : "" },
            Column("TOOL", isCut: true) { $0.text("current_tool").cell },
            Column("WAITING") { $0.text("pending_requests") == "0" ? "" : $0.text("pending_requests") },
            Column("PROJECT", isCut: true) { names.name(of: Self.place($0)).cell },
            Column("BRANCH", isCut: true) { $0.text("branch").cell },
            Column("TITLE", isCut: true, Self.title), Column("LAST ACTIVITY") { $0.ago("last_activity") },
        ]
        columns = all.filter { column in sessions.contains { !column.cell($0).isEmpty } }
    }

    var header: [String] { columns.map(\.header) }
    var rows: [[String]] { sessions.map { session in columns.map { $0.cell(session) } } }
    var cutting: Set<String> { Set(columns.filter(\.isCut).map(\.header)) }

    private static func place(_ session: JSON) -> String {
        session.text("root").isEmpty ? session.text("cwd") : session.text("root")
    }

    /// The state in words, as the page has them.
    private static func state(_ session: JSON) -> String {
        if let run = session["run"] { return Self.run[run.text("claude_state")] ?? run.text("claude_state").shown(20) }
        return switch SessionView.State(rawValue: session.text("state")) {
        case .permissionPending: "waiting"
        case .stale: "silent"
        case .toolRunning: "running"
        case .active, .ended, nil: elsewhere[session.text("state")] ?? session.text("state").shown(20)
        }
    }

    /// The states of sessions that the daemon runs, where people have another word.
    private static let run = ["stopping": "ending"]

    /// The states that other machines report.
    private static let elsewhere = [
        "waiting_for_input": "waiting for a prompt", "waiting_for_permission": "waiting there",
    ]

    /// The title that the session was given, else what was asked last.
    private static func title(_ session: JSON) -> String {
        let texts = ["title", "summary", "last_prompt"].map { session.text($0) }
        return (texts.first { !$0.isEmpty } ?? "").shown(longestTitle)
    }
}
