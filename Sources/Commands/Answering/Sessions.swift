import Core
import OrderedJSON

extension Command {
    static let sessions = Command(
        "sessions", summary: "show the agents' sessions, those that run and those of the past",
        details: """
            Those that run come first: waiting for an answer, running a tool, active, or silent for a while; those that the
            daemon runs have its id too, as `cdev send` and `cdev stop` take it, and a parked one goes on with its next
            prompt. Then those that have ended, and those of the past, of which there is only a transcript, as no hook
            told of them: the 20 that were active last. `cdev transcript SESSION` shows what was said in one. Sessions
            that other machines report stand behind those that run here, with the machine's name; what they ask is
            answered there.
            """,
        options: [
            CommandOption("--all", nil, "all that have ended, and all of the past"), .json,
        ]
    ) { invocation in
        let client = try Places(invocation).client
        let heard = try client.call("hook/sessions")
        let run = try client.call("session/active").list("sessions")
        let directories = run.isEmpty ? [:] : try directories(client)
        let transcripts = SessionTranscripts(client, all: invocation.has("--all"))
        let list = SessionList(
            heard: heard.list("sessions"), transcripts: transcripts.sessions, hasMoreTranscripts: transcripts.hasMore,
            run: run, directories: directories,
            elsewhere: (try? client.call("session/elsewhere"))?.list("sessions") ?? [],
            most: invocation.has("--all") ? nil : 20)
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(members(list, heard, transcripts))) }
        let table = SessionTable(list.sessions)
        if list.sessions.isEmpty {
            Terminal.write("no session was heard of, and none has a transcript: start Claude Code, or cdev doctor\n")
        } else {
            ListOutput.write(table.header, table.rows, cutting: table.cutting, invocation.environment)
        }
        for note in notes(list, heard) + untrusted(run, directories) { Terminal.write(note + "\n") }
        if let problem = transcripts.problem { Following.say(problem) }
    }

    /// The directories of workspaces, by their ids.
    private static func directories(_ client: DaemonClient) throws(CommandFailure) -> [String: String] {
        let workspaces = try client.call("workspace/list").list("workspaces")
        return Dictionary(workspaces.map { ($0.text("id"), $0.text("path")) }) { first, _ in first }
    }

    private static func members(_ list: SessionList, _ heard: JSON, _ transcripts: SessionTranscripts) -> JSONObject {
        var members = heard.objectValue ?? [:]
        members["sessions"] = .array(list.sessions)
        members["count"] = .number(JSONNumber(list.sessions.count))
        members["has_more"] = .bool(list.hasMore)
        members["incomplete"] = .bool(transcripts.problem != nil)
        return members
    }

    /// The directories in which the daemon runs sessions without the project's own settings.
    private static func untrusted(_ run: [JSON], _ directories: [String: String]) -> [String] {
        let ignoring = run.filter { RunSessionRows.settingsNote($0) != nil }.map { $0.text("workspace_id") }
        return Set(ignoring.compactMap { directories[$0] }).sorted().map { directory in
            "in what the daemon runs in \(directory.shown(200)) the project's own settings do not count, as nobody "
                + "trusted it: `cdev workspaces trust` there"
        }
    }

    private static func notes(_ list: SessionList, _ heard: JSON) -> [String] {
        let modes = Set(list.sessions.map { $0.text("mode_note") }).sorted().filter { !$0.isEmpty }
        let bystanders = heard.list("bystanders").map { bystander in
            let seen = "last heard of \(bystander.clock("last_seen")) in \(bystander.text("cwd").shown(200))"
            return "not held: \(bystander.text("reason").shown(400)); \(seen)"
        }
        let more = list.hasMore ? ["more have ended; `cdev sessions --all` lists them"] : []
        return modes.map { $0.shown(400) } + bystanders + more
    }
}

/// The sessions that have a transcript, the last active first.
struct SessionTranscripts {
    private(set) var sessions: [JSON] = []
    private(set) var hasMore = false
    /// Why transcripts may be missing, for people.
    private(set) var problem: String?

    /// Sessions of one page: enough to know those that run, whatever ran since they were active.
    private static let page = 100
    private static let largestPage = 500

    /// Never throws: sessions that hooks told of are listed whatever became of the index of transcripts.
    init(_ client: DaemonClient, all: Bool) {
        do {
            repeat {
                let asked: JSON = [
                    "limit": .number(JSONNumber(all ? Self.largestPage : Self.page)),
                    "offset": .number(JSONNumber(sessions.count)),
                ]
                let found = try client.call("workspace/session/history", asked)
                sessions += found.list("sessions")
                hasMore = (found["total"]?.intValue ?? 0) > sessions.count && !found.list("sessions").isEmpty
                if found["incomplete"]?.boolValue == true {
                    problem = "some transcripts are still being read; try again in a moment"
                }
            } while all && hasMore
        } catch {
            problem = "sessions of the past are missing: \(error.message)"
        }
    }
}

/// A session, found by what a person types.
enum SessionChoice {
    /// The session whose id begins with `typed`, with or without the agent's name; `nil` if the daemon knows none.
    static func find(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> JSON? {
        let sessions = try client.call("hook/sessions").list("sessions")
        if let exact = sessions.first(where: { $0.text("session_id") == typed }) { return exact }
        let named = sessions.map { (id: ownID($0), about: $0.text("cwd").shown(60)) }
        guard let id = try ShortID.find(typed, among: named, "sessions") else { return nil }
        return sessions.first { ownID($0) == id }
    }

    /// The session's id without the agent's name, which has a column of its own.
    static func ownID(_ session: JSON) -> String {
        let id = session.text("session_id")
        let prefix = session.text("agent") + ":"
        return id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
    }
}
