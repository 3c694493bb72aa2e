/// The workspaces in force. A plain value: every input takes the time and the id, and nothing here waits.
///
/// A change is made in two steps, so that nothing is confirmed that a restart would undo: `adding`, `updating` and
/// `seeing` say what has to be written, and `put` brings it into force once it is. A removal is in force at once.
package struct WorkspaceBook: Sendable {
    private var workspaces: [String: Workspace] = [:]
    /// Ids by the bytes of the path: Swift's strings are equal where the same characters are encoded differently, and
    /// such paths are two directories.
    private var ids: [[UInt8]: String] = [:]
    /// The most components of a path among `ids` and `removals`, so that of a longer one few directories are looked up.
    private var depth = 0
    /// When a person removed the workspace of a path. A session that ran by then makes none again.
    private var removals: [[UInt8]: Timestamp] = [:]
    /// The `lastActive` that was written of each workspace.
    private var written: [String: Timestamp] = [:]

    /// The most workspaces. One that a session made gives way to a new one, one that a person added does not.
    package static let limit = 500
    /// The most components of a directory of which a session makes a workspace. An agent may name any.
    static let deepestSeen = 64
    /// The most removals that are remembered, the latest.
    static let removalLimit = 1000
    /// Seconds by which the last activity must have moved before it is written again.
    static let activityStep: Double = 600

    /// - Parameter removals: Removed workspaces, by path.
    package init(_ kept: [Workspace] = [], removals: [WorkspaceRemoval] = []) {
        for workspace in kept where at(workspace.path) == nil { put(workspace) }
        for removal in removals { note(removal) }
    }

    package subscript(id: String) -> Workspace? { workspaces[id] }

    /// The workspaces, sorted by name.
    package var list: [Workspace] {
        workspaces.values.sorted { ($0.name, $0.path, $0.id) < ($1.name, $1.path, $1.id) }
    }

    /// The workspace of exactly this directory.
    package func at(_ path: String) -> Workspace? { ids[Array(path.utf8)].flatMap { workspaces[$0] } }

    /// The workspace whose directory holds the path, the deepest if several do; `nil` for a path with `..` in it, of
    /// which only the disk knows where it leads.
    package func holding(_ path: String) -> Workspace? {
        guard !ids.isEmpty, let id = first(above: path, in: ids) else { return nil }
        return workspaces[id]
    }

    /// The value of the path, or of the nearest directory above it that has one.
    private func first<Value>(above path: String, in values: [[UInt8]: Value]) -> Value? {
        var bytes = Array(path.utf8)
        guard bytes.first == Self.slash else { return nil }
        while bytes.count > 1, bytes.last == Self.slash { bytes.removeLast() }
        let whole = bytes
        let slashes = bytes.indices.filter { bytes[$0] == Self.slash }
        if slashes.count > depth { bytes.removeSubrange(max(1, slashes[depth])...) }
        while true {
            if let value = values[bytes] { return Self.isPlain(whole[bytes.count...]) ? value : nil }
            guard let end = bytes.lastIndex(of: Self.slash), end > 0 else { return nil }
            bytes.removeSubrange(end...)
        }
    }

    private static func depth(of path: String) -> Int { path.utf8.count { $0 == slash } }

    private static let slash = UInt8(ascii: "/")

    private static func isPlain(_ rest: ArraySlice<UInt8>) -> Bool {
        !rest.split(separator: slash).contains { $0.elementsEqual("..".utf8) }
    }

    // MARK: Changes

    /// The workspace of this directory as a person wants it: a new one, or the one that is there with its new name.
    /// - Parameters:
    ///   - name: `nil` for the one that it has, or the directory's.
    ///   - description: `nil` for the one that it has.
    package func adding(
        _ path: String, name: String?, description: String? = nil, isStartedWithDaemon: Bool,
        id: @autoclosure () -> String, at now: Timestamp
    ) throws(WorkspaceRefusal) -> WorkspaceChange {
        if let name, !WorkspaceName.isUsable(name) { throw .name }
        if var known = at(path) {
            known.name = name ?? known.name
            known.description = description ?? known.description
            known.isStartedWithDaemon = isStartedWithDaemon
            known.origin = .added
            return WorkspaceChange(workspace: known)
        }
        return try making(
            Workspace(
                id: id(), name: name ?? WorkspaceName.ofDirectory(path), description: description ?? "", path: path,
                isStartedWithDaemon: isStartedWithDaemon, origin: .added, createdAt: now, lastActive: now))
    }

    /// - Parameters:
    ///   - name: `nil` for no change.
    ///   - isStartedWithDaemon: `nil` for no change.
    package func updating(
        _ id: String, name: String?, isStartedWithDaemon: Bool?
    ) throws(WorkspaceRefusal) -> WorkspaceChange {
        if let name, !WorkspaceName.isUsable(name) { throw .name }
        guard var known = workspaces[id] else { throw .unknown(id) }
        known.name = name ?? known.name
        known.isStartedWithDaemon = isStartedWithDaemon ?? known.isStartedWithDaemon
        return WorkspaceChange(workspace: known)
    }

    /// The workspace that a session makes of its directory; `nil` if the directory lies in one, is deeper than any that
    /// people work in, or a person removed it since the session started.
    package func seeing(
        _ path: String, startedAt: Timestamp, id: @autoclosure () -> String, at now: Timestamp
    ) throws(WorkspaceRefusal) -> WorkspaceChange? {
        guard Self.depth(of: path) <= Self.deepestSeen, holding(path) == nil else { return nil }
        if let removedAt = first(above: path, in: removals), startedAt <= removedAt { return nil }
        return try making(
            Workspace(
                id: id(), name: WorkspaceName.ofDirectory(path), path: path, origin: .seen, createdAt: now,
                lastActive: now))
    }

    private func making(_ workspace: Workspace) throws(WorkspaceRefusal) -> WorkspaceChange {
        guard workspaces.count >= Self.limit else { return WorkspaceChange(workspace: workspace) }
        let oldest = workspaces.values.filter { $0.origin == .seen }.min {
            ($0.lastActive, $0.id) < ($1.lastActive, $1.id)
        }
        guard let oldest else { throw .full(limit: Self.limit) }
        return WorkspaceChange(workspace: workspace, displaced: oldest)
    }

    /// Brings a workspace into force.
    package mutating func put(_ workspace: Workspace) {
        written[workspace.id] = workspace.lastActive
        ids[Array(workspace.path.utf8)] = workspace.id
        depth = max(depth, Self.depth(of: workspace.path))
        let active = workspaces[workspace.id]?.lastActive
        workspaces[workspace.id] = workspace
        // A session may have been active there while the change was written.
        if let active { touch(workspace.id, at: active) }
    }

    /// Takes a workspace that a person removed out of force; `nil` if there is none with this id.
    package mutating func remove(_ id: String, at now: Timestamp) -> WorkspaceRemoval? {
        guard let workspace = forget(id) else { return nil }
        let removal = WorkspaceRemoval(workspace: workspace, at: now)
        note(removal)
        return removal
    }

    /// Takes a workspace out of force that has ended, or gave way to another.
    @discardableResult package mutating func forget(_ id: String) -> Workspace? {
        guard let workspace = workspaces.removeValue(forKey: id) else { return nil }
        ids[Array(workspace.path.utf8)] = nil
        written[id] = nil
        return workspace
    }

    private mutating func note(_ removal: WorkspaceRemoval) {
        let key = Array(removal.workspace.path.utf8)
        removals[key] = max(removal.at, removals[key] ?? removal.at)
        depth = max(depth, Self.depth(of: removal.workspace.path))
        guard removals.count > Self.removalLimit else { return }
        // An eighth at a time, so that not every removal sorts them.
        for old in removals.sorted(by: { $0.value < $1.value }).prefix(Self.removalLimit / 8) {
            removals[old.key] = nil
        }
    }

    // MARK: Activity

    /// A session was active in the workspace.
    package mutating func touch(_ id: String, at now: Timestamp) {
        guard let last = workspaces[id]?.lastActive, last < now else { return }
        workspaces[id]!.lastActive = now
    }

    /// The workspaces whose last activity has moved since it was written; the caller writes them.
    /// - Parameter all: Also those where it moved by less than ten minutes.
    package mutating func takeActive(all: Bool) -> [Workspace] {
        let moved = workspaces.values.filter { workspace in
            let seconds = workspace.lastActive.seconds(since: written[workspace.id] ?? workspace.createdAt)
            return all ? seconds > 0 : seconds >= Self.activityStep
        }
        for workspace in moved { written[workspace.id] = workspace.lastActive }
        return moved.sorted { $0.id < $1.id }
    }

    /// The workspaces that nobody added and in which no session was active for `Workspace.seenDays`.
    /// - Parameter occupied: Ids of workspaces in which a session still runs, however quiet it is.
    package func ended(at now: Timestamp, occupied: Set<String>) -> [Workspace] {
        workspaces.values.filter {
            $0.origin == .seen && !occupied.contains($0.id)
                && now.seconds(since: $0.lastActive) >= Double(Workspace.seenDays) * 86_400
        }.sorted { $0.id < $1.id }
    }
}
