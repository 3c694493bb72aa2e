import Core
import OrderedJSON
import Services
import Wire

extension MethodTable {
    /// The methods of the daemon's own clients.
    package init(_ services: MethodServices) {
        self.init(Self.groups(services), former: Self.former)
    }

    /// The methods of a server that worked in one directory.
    private static let former = [
        "agent/respond": "session/respond", "agent/run": "session/start, then session/send",
        "agent/status": "session/state", "agent/stop": "session/stop",
    ]

    package static func groups(_ services: MethodServices) -> [any MethodGroup] {
        [
            ConnectionMethods(sessions: services.sessions),
            DeviceMethods(access: services.access, devices: services.devices),
            ElsewhereMethods(reports: services.reports),
            EventMethods(history: services.history, polls: services.polls),
            FileMethods(files: services.files),
            GitMethods(git: services.git, noteInterest: services.noteInterest),
            HistoryMethods(history: services.history),
            NoticeMethods(notices: services.notices),
            PairingMethods(pairing: services.pairing),
            PermissionMethods(
                permissions: services.permissions, previews: services.previews, workspaces: services.workspaces),
            RuleMethods(permissions: services.permissions),
            RunSessionOffers(sessions: services.runSessions),
            RunSessionControls(sessions: services.runSessions, permissions: services.permissions),
            RunSessionMethods(sessions: services.runSessions, permissions: services.permissions),
            SessionMethods(permissions: services.permissions),
            StatusMethods(sessions: services.sessions),
            SubscriptionMethods(
                noteInterest: services.noteInterest, viewers: services.viewers, workspaces: services.workspaces),
            TokenMethods(devices: services.devices),
            WorkspaceChangeMethods(
                runSessions: services.runSessions, viewers: services.viewers, workspaces: services.workspaces),
            WorkspaceMethods(viewers: services.viewers, workspaces: services.workspaces),
            TranscriptMethods(transcripts: services.transcripts),
            TranscriptWatchMethods(transcripts: services.transcripts),
        ]
    }
}

extension Dispatcher {
    /// - Parameter mostAnswered: Bytes of a batch's answers after which its further reading calls are refused.
    package init(services: MethodServices, mostAnswered: Int = 16 << 20) {
        self.init(access: services.access, table: MethodTable(services), mostAnswered: mostAnswered) {
            .refused($0.name, $1)
        }
    }
}

extension Scheduling {
    /// At most 64 calls of one connection run beside its others. No client shows so many cards, sessions or previews at
    /// once; further calls wait in the connection, not in memory.
    static let beside = Scheduling.beside(limit: 64)
}

extension JSONRPCError {
    /// The caller does not have the right.
    static func refused(_ method: String, _ right: Right) -> JSONRPCError {
        let why =
            switch right {
            case .administer:
                "only the user's own terminal may do this, not a device and not a process inside an agent"
            case .decide:
                "this caller may look but not answer: a device with view rights never may, nor a process inside an "
                    + "agent"
            case .drive:
                "it changes what is on this machine, which needs a device or token with drive rights "
                    + "(`cdev pair --rights drive`); a process inside an agent never may"
            case .read, .report: "a token is needed; create one with `cdev token create NAME`"
            }
        return .invalidRequest("\(method) is refused: \(why)", data: ["refused": .string(right.rawValue)])
    }
}
