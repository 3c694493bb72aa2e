import Core
package import OrderedJSON

/// The agents' sessions, each once, as people look for them: those that run, the one that waits for an answer first; then
/// those that have ended and those of the past, the last active first. A session of the past is known by its transcript
/// only: no hook has told of it.
package struct SessionList: Sendable {
    package let sessions: [JSON]
    /// True if more have ended than are listed.
    package let hasMore: Bool

    /// The order of the states of sessions that run.
    private static let order = [
        "permission_pending", "tool_running", "starting", "active", "stale", "stopping", "parked",
    ]
    private static let finished: Set<String> = ["ended", "past"]

    /// - Parameters:
    ///   - heard: As `hook/sessions` lists them.
    ///   - transcripts: As `workspace/session/history` lists them, the last active first.
    ///   - hasMoreTranscripts: True if there are more than `transcripts`.
    ///   - run: As `session/active` lists them.
    ///   - directories: The directories of workspaces, by their ids.
    ///   - elsewhere: As `session/elsewhere` lists them.
    ///   - most: Sessions that do not run and are listed at most; `nil` for all.
    package init(
        heard: [JSON], transcripts: [JSON], hasMoreTranscripts: Bool, run: [JSON] = [],
        directories: [String: String] = [:], elsewhere: [JSON] = [], most: Int?
    ) {
        let heard = RunSessionRows.joined(heard, run, directories)
        let facts = Dictionary(transcripts.map { ($0.text("session_id"), $0) }) { first, _ in first }
        let known = Set(heard.map { $0.text("session_id") })
        let all =
            heard.map { Self.joined($0, facts[$0.text("session_id")]) }
            + transcripts.filter { !known.contains($0.text("session_id")) }.map(Self.past)
        let latest = all.sorted { Self.time(of: $0) > Self.time(of: $1) }
        let finished = latest.filter { Self.finished.contains($0.text("state")) }
        sessions = Self.running(latest) + elsewhere.map(Self.elsewhere) + finished.prefix(most ?? finished.count)
        hasMore = hasMoreTranscripts || finished.count > most ?? finished.count
    }

    /// In the order of their states, each state in the order of `latest`.
    private static func running(_ latest: [JSON]) -> [JSON] {
        let running = latest.filter { !finished.contains($0.text("state")) }
        let states = order + Set(running.map { $0.text("state") }).subtracting(order).sorted()
        return states.flatMap { state in running.filter { $0.text("state") == state } }
    }

    private static func time(of session: JSON) -> Int64 {
        Timestamp(rfc3339: session.text("last_activity"))?.milliseconds ?? 0
    }

    /// The session with what its transcript tells and its hooks do not.
    private static func joined(_ session: JSON, _ transcript: JSON?) -> JSON {
        var members = session.objectValue ?? [:]
        for (key, value) in transcript?.objectValue ?? [:] where members[key] == nil { members[key] = value }
        return .object(members)
    }

    /// A session of another machine, with the names that the members of other sessions have.
    private static func elsewhere(_ session: JSON) -> JSON {
        var members = session.objectValue ?? [:]
        members["state"] = session["status"]
        members["status"] = nil
        members["agent"] = "claude"
        return .object(members)
    }

    /// A transcript with the names that the members of other sessions have.
    private static func past(_ transcript: JSON) -> JSON {
        joined(
            [
                "session_id": transcript["session_id"] ?? "", "agent": "claude", "state": "past",
                "cwd": transcript["cwd"] ?? "", "root": transcript["cwd"] ?? "",
                "last_activity": transcript["last_updated"] ?? .null,
            ], transcript)
    }
}

/// Names of projects: the last part of each directory's path, with as many parts before it as tell it from the others.
package struct ProjectNames: Sendable {
    private let paths: Set<String>

    package init(_ paths: [String]) {
        self.paths = Set(paths)
    }

    package func name(of path: String) -> String {
        let parts = Self.parts(path)
        let others = paths.subtracting([path]).map(Self.parts)
        for count in 1...max(1, parts.count) where !parts.isEmpty {
            let name = parts.suffix(count)
            if !others.contains(where: { $0.suffix(count) == name }) { return name.joined(separator: "/") }
        }
        return path
    }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
}
