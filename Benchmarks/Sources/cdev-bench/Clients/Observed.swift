import OrderedJSON

/// A daemon with transcripts, and what is asked about them.
final class Observed {
    let daemon: DaemonProcess
    private let client: HTTPClient

    /// - Parameter home: with the transcripts in it.
    convenience init(_ bench: Bench, home: String) throws {
        try self.init(try DaemonProcess(bench, home: home))
    }

    /// Asks on a connection of its own.
    init(_ daemon: DaemonProcess) throws {
        self.daemon = daemon
        client = try daemon.client()
    }

    /// Waits until every transcript has been taken in.
    func waitForIndex(of sessions: Int, seconds: Int = 600) throws {
        try Clock.wait(seconds: seconds, for: "the index of the transcripts") {
            let history = try client.call("workspace/session/history", ["limit": 1])
            return history["incomplete"]?.boolValue == false && history["total"]?.intValue == sessions
        }
    }

    /// The number of messages in a session.
    func total(_ session: String) throws -> Int {
        try page(session, offset: 0, limit: 1)["total"]?.intValue ?? 0
    }

    @discardableResult
    func page(_ session: String, offset: Int, limit: Int = 50) throws -> JSON {
        try client.call(
            "workspace/session/messages",
            [
                "session_id": .string(session), "offset": .init(integerLiteral: offset),
                "limit": .init(integerLiteral: limit), "order": "asc",
            ])
    }

    /// The number of hits; at most `limit`.
    func search(_ words: String, limit: Int = 20) throws -> Int {
        let found = try client.call(
            "session/search", ["query": .string(words), "limit": .init(integerLiteral: limit)])
        return found["count"]?.intValue ?? 0
    }

    /// Makes a workspace of a directory; its id.
    func addWorkspace(_ path: String) throws -> String {
        let added = try client.call("workspace/add", ["path": .string(path)])
        guard let id = added["id"]?.stringValue ?? added["workspace_id"]?.stringValue else {
            throw BenchError("no workspace: \(added.serialized())")
        }
        return id
    }

    func status(_ workspace: String) throws -> JSON {
        try client.call("workspace/git/status", ["workspace_id": .string(workspace)])
    }
}
