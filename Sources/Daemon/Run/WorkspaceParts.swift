import Core
import Glibc
import Host
import Platform
import Services

/// The parts that know workspaces, and who looks at their sessions.
struct WorkspaceParts {
    let manager: WorkspaceManager
    let viewers: SessionViewers

    init(
        _ resources: Resources, register: WorkspaceRegister, home: String, broker: Broker,
        runs: RunProcesses = RunProcesses(), hub: EventHub,
        threads: LoopThreads, git: any WorkspaceGitFacts = NoWorkspaceGitFacts(),
        history: any WorkspaceHistory = NoWorkspaceHistory(), ended: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let announce: @Sendable (LiveEvent) -> Void = { event in threads.onLoop { hub.publish(event) } }
        viewers = SessionViewers(clock: resources.clock, announce: announce)
        manager = WorkspaceManager(
            register: register,
            parts: WorkspaceManager.Parts(
                broker: broker, clock: resources.clock, directories: WorkspaceFolders(), git: git,
                history: history, log: resources.log, places: Self.reserved(home),
                runs: runs, store: resources.store,
                announce: announce, ended: ended))
    }

    /// - Parameter home: The daemon's own directory.
    private static func reserved(_ home: String) -> ReservedPlaces {
        let folders = WorkspaceFolders()
        let resolved = { (path: String) in (try? folders.resolve(path, creating: false)) ?? path }
        return ReservedPlaces(home: resolved(userHome), own: resolved(home))
    }

    /// `HOME`, as everywhere in the daemon, else as the password database has it.
    private static var userHome: String {
        if let path = getenv("HOME").map({ String(cString: $0) }), path.hasPrefix("/") { return path }
        return getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? "/"
    }
}
