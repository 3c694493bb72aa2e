package import Core
import Platform

/// The workspaces in memory, so that an event's workspace is found without a database and without the disk.
package final class WorkspaceRegister: Sendable {
    struct State {
        var book: WorkspaceBook
        /// Resolved paths of directories as sessions spell them, where the two differ.
        var resolved: [[UInt8]: String] = [:]
        /// The sessions that sent a hook since the start.
        var sessions: [String: Known] = [:]
        /// Directories that lie in no workspace and were passed on already, with their session.
        var asked: Set<[UInt8]> = []
    }

    /// What a session's first hook told.
    struct Known {
        let root: String
        let heardAt: Timestamp
        let isOfThisMachine: Bool
    }

    /// A session in a directory that lies in no workspace.
    struct Arrival: Sendable {
        let session: String
        let cwd: String
        let root: String
        /// When the session's first hook came.
        let heardAt: Timestamp
    }

    /// The most entries of each table that foreign values fill; a full one is begun anew.
    private static let limit = 2000

    let state: Locked<State>
    /// For one listener.
    let arrivals: AsyncStream<Arrival>
    private let arrived: AsyncStream<Arrival>.Continuation
    private let clock: any TimeSource

    package init(_ kept: KeptWorkspaces, clock: any TimeSource) {
        state = Locked(State(book: WorkspaceBook(kept.workspaces, removals: kept.removals)))
        self.clock = clock
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    }

    /// Ends the stream of arrivals.
    package func finish() { arrived.finish() }

    /// The id of the workspace that a record concerns: that of its directory, else of its session's root; `""` if there
    /// is none.
    package func id(for record: EventRecord) -> String {
        record.sessionID.isEmpty ? "" : id(at: record.cwd, session: record.sessionID)
    }

    func id(at cwd: String, session: String) -> String {
        state.withLock { $0.workspace(cwd: cwd, root: $0.sessions[session]?.root ?? "")?.id ?? "" }
    }

    /// The workspace of a session.
    func workspace(of session: ExternalSession) -> Workspace? {
        state.withLock { $0.workspace(cwd: session.cwd, root: session.root) }
    }

    func note(resolved path: String, of spelling: String) {
        guard path != spelling else { return }
        state.withLock { state in
            if state.resolved.count >= Self.limit { state.resolved = [:] }
            state.resolved[Array(spelling.utf8)] = path
        }
    }

    /// Directories that lay in no workspace may do so after a change, and are asked about again.
    func change<Result>(_ body: (inout WorkspaceBook) -> Result) -> Result {
        state.withLock { state in
            state.asked = []
            return body(&state.book)
        }
    }
}

extension WorkspaceRegister.State {
    /// The workspace of the directory, else that of the root.
    func workspace(cwd: String, root: String) -> Workspace? {
        book.holding(resolved[Array(cwd.utf8)] ?? cwd) ?? book.holding(resolved[Array(root.utf8)] ?? root)
    }
}

/// For the parts that the manager is made with, and that look workspaces up themselves.
extension WorkspaceRegister: WorkspaceFinder {
    package func workspace(_ id: String) async -> Workspace? { state.withLock { $0.book[id] } }

    package func workspace(holding path: String) async -> Workspace? {
        state.withLock { $0.workspace(cwd: path, root: "") }
    }
}

extension WorkspaceRegister: WorkspaceLister {
    package func workspaces() async -> [Workspace] { state.withLock { $0.book.list } }
}

extension WorkspaceRegister: SessionPlaces {
    package func note(_ call: HookCall) {
        let (session, cwd) = (call.event.sessionID, call.event.cwd)
        guard call.source.isVerified, !session.isEmpty, cwd.utf8.first == UInt8(ascii: "/") else { return }
        let now = clock.now().wall
        let arrival = state.withLock { state -> Arrival? in
            let known = state.known(session, call, at: now, limit: Self.limit)
            if let workspace = state.workspace(cwd: cwd, root: known.root) {
                state.book.touch(workspace.id, at: now)
                return nil
            }
            // What another machine names is no directory of this one, and a session that ends needs none.
            guard call.source.isOfThisMachine, call.event.name != .sessionEnd else { return nil }
            let key = Array("\(session)\0\(cwd)".utf8)
            if state.asked.count >= Self.limit { state.asked = [] }
            guard state.asked.insert(key).inserted else { return nil }
            return Arrival(session: session, cwd: cwd, root: known.root, heardAt: known.heardAt)
        }
        if let arrival { arrived.yield(arrival) }
    }
}

extension WorkspaceRegister.State {
    /// What is known of the session, which its first hook of this machine determines, else its first one; its root as in
    /// the broker.
    fileprivate mutating func known(
        _ session: String, _ call: HookCall, at now: Timestamp, limit: Int
    ) -> WorkspaceRegister.Known {
        let isOfThisMachine = call.source.isOfThisMachine
        if let known = sessions[session], known.isOfThisMachine || !isOfThisMachine { return known }
        if sessions.count >= limit { sessions = [:] }
        let root = ExternalSession.root(cwd: call.event.cwd, project: call.source.projectDirectory)
        let known = WorkspaceRegister.Known(root: root, heardAt: now, isOfThisMachine: isOfThisMachine)
        sessions[session] = known
        return known
    }
}
