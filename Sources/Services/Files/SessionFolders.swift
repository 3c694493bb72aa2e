package import Core
import OrderedJSON
import Platform

/// Looks where the sessions that the daemon runs work, so that all who see a workspace's events are told what changes there
/// while a process of a session runs in it: at the workspace's own directory, and at the folders of the files that the
/// session's tools named last. The system has too few watches for each directory of a work tree.
package final class SessionFolders: EventListener {
    private struct Session {
        let workspaceID: String
        let root: String
        /// Those besides the workspace's directory, the one that was named last at the end.
        var named: [WorkspacePath] = []

        func folder(_ path: WorkspacePath) -> WatchedFolder {
            WatchedFolder(workspaceID: workspaceID, root: root, directory: path)
        }

        func has(_ path: WorkspacePath) -> Bool { path.isRoot || named.contains(path) }
    }

    private struct State {
        /// Weak: it passes its events to the hub, which has this listener.
        weak var watches: FolderWatches?
        var sessions: [String: Session] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package func look(through watches: FolderWatches) { state.withLock { $0.watches = watches } }

    package func heard(_ event: PublishedEvent) {
        guard case .live(let live) = event, case .run(let run) = live.body, let id = live.sessionID else { return }
        switch run {
        case .changed(let session), .childEnded(let session), .childReady(let session), .stopped(let session):
            note(session)
        case .message(let message, _):
            // Before a call is run the agent asks for it, over a longer way than this.
            for path in message.namedFiles { note(path, of: id) }
        default: break
        }
    }

    // MARK: Sessions

    private func note(_ session: RunSession) {
        guard session.hasChild else { return forget(session.id) }
        let isNew = state.withLock { state in
            guard state.sessions[session.id] == nil else { return false }
            state.sessions[session.id] = Session(workspaceID: session.workspaceID, root: session.directory)
            return true
        }
        if isNew { begin(.root, of: session.id) }
    }

    private func forget(_ id: String) {
        let (session, watches) = state.withLock { ($0.sessions.removeValue(forKey: id), $0.watches) }
        guard let session, let watches else { return }
        for path in [.root] + session.named { watches.end(session.folder(path), of: id) }
    }

    // MARK: Folders

    private func note(_ file: String, of id: String) {
        guard let root = state.withLock({ $0.sessions[id]?.root }),
            let folder = WorkspacePath.place(of: file, below: root)?.directory
        else { return }
        add(folder, of: id)
    }

    private func add(_ folder: WorkspacePath, of id: String) {
        guard !folder.isRoot else { return }
        let (isNew, left) = state.withLock { state -> (Bool, WatchedFolder?) in
            guard var session = state.sessions[id] else { return (false, nil) }
            defer { state.sessions[id] = session }
            let isNew = !session.named.contains(folder)
            session.named.removeAll { $0 == folder }
            session.named.append(folder)
            guard session.named.count >= FolderWatches.mostOfLooker else { return (isNew, nil) }
            return (isNew, session.folder(session.named.removeFirst()))
        }
        if let left { state.withLock { $0.watches }?.end(left, of: id) }
        if isNew { begin(folder, of: id) }
    }

    private func begin(_ path: WorkspacePath, of id: String) {
        let (folder, watches) = state.withLock { ($0.sessions[id]?.folder(path), $0.watches) }
        guard let folder, let watches else { return }
        Task.detached { [self] in
            do throws(FileFailure) {
                try await watches.begin(folder, of: id)
                // Meanwhile the session may have ended, or have named others.
                if !state.withLock({ $0.sessions[id]?.has(path) == true }) { watches.end(folder, of: id) }
            } catch {
                state.withLock { $0.sessions[id]?.named.removeAll { $0 == path } }
                // A directory that the call makes is new in one that is there.
                if case .obstacle(.missing, _) = error { add(path.directory, of: id) }
            }
        }
    }
}

extension WorkspacePath {
    /// The place of a file that a tool named; `nil` for one elsewhere.
    fileprivate static func place(of file: String, below root: String) -> WorkspacePath? {
        guard file.utf8.first == UInt8(ascii: "/") else { return try? WorkspacePath(file) }
        // By bytes, as the disk has them.
        let directory = Array(root.utf8) + [UInt8(ascii: "/")]
        guard file.utf8.starts(with: directory) else { return nil }
        return try? WorkspacePath(String(decoding: file.utf8.dropFirst(directory.count), as: UTF8.self))
    }
}

extension TranscriptMessage {
    /// The files that the message's calls name.
    fileprivate var namedFiles: [String] {
        guard kind == .assistant, !tools.isEmpty else { return [] }
        return (message["content"]?.arrayValue ?? []).compactMap { block in
            guard block["type"] == "tool_use", let tool = block["name"]?.stringValue.flatMap({ tools[$0] }),
                let input = block["input"]
            else { return nil }
            return tool.string(.file, in: input)
        }
    }
}
