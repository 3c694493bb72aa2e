import CPlatform
package import Core
import Glibc
import Platform

/// Runs the installed `git`, without a shell, in an environment of its own, with limits. Runs wait on threads beside the
/// loop.
package final class GitProgram: GitRunner {
    private let environment: [String: String]
    private let readings = WorkLane(threads: GitProgram.mostReadings, mostWeight: 256)
    /// Only some of the threads wait for git in one directory, so that a repository whose disk is slow keeps nobody else
    /// waiting.
    private let turns = FairTurns(most: GitProgram.mostReadings, mostOfKey: 2, mostWaiting: 256)
    /// Hooks and other machines may take minutes, so what only reads does not wait behind them.
    private let changes = WorkLane(threads: 16, mostWeight: 64)

    /// Readings at a time: two repositories may hang, and others are still read.
    private static let mostReadings = 6

    /// The variables that git gets of the daemon's.
    package static var variables: [String] { GitEnvironment.forWriting }

    /// - Parameter environment: The daemon's; git gets a few variables of it.
    package init(environment: [String: String]) {
        self.environment = environment
        // Git may end before it has read its input.
        cplatform_ignore_sigpipe()
    }

    package func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput {
        guard invocation.kind == .reading else { return try await run(invocation, on: changes) }
        guard let turn = await turns.begin(invocation.directory) else { throw .busy }
        defer { withExtendedLifetime(turn) {} }
        return try await run(invocation, on: readings)
    }

    private func run(_ invocation: GitInvocation, on lane: WorkLane) async throws(GitRunFailure) -> GitOutput {
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await lane.run(weight: 1) { [self] in
                Result { () throws(GitRunFailure) in try begin(invocation, cancellation) }
            }
        } onCancel: {
            cancellation.cancel()
        }
        guard let result else { throw .busy }
        return try result.get()
    }

    private func begin(_ invocation: GitInvocation, _ cancellation: Cancellation) throws(GitRunFailure) -> GitOutput {
        guard let path = ProgramPath.find("git", in: environment["PATH"] ?? "") else { throw .notInstalled }
        guard !cancellation.isCancelled else { throw .cancelled }
        let variables = GitEnvironment.variables(for: invocation, daemon: environment)
        let (place, identity) = try Self.open(invocation)
        let child = try GitChild(path, [GitWord("git")] + invocation.words, variables, place)
        // A run that writes is not ended by its client.
        var output = try child.finish(invocation, invocation.kind == .writing ? Cancellation() : cancellation)
        // Git asks for the path of its directory and goes by it until it has found the repository. What it has read
        // is shown only if that path still led there afterwards.
        if invocation.kind == .reading, try Self.open(invocation).identity != identity { throw .moved }
        output.directory = identity
        return output
    }

    /// Opens the working directory, which must be the one that was expected, with no link on the way.
    private static func open(
        _ invocation: GitInvocation
    ) throws(GitRunFailure) -> (place: OpenPlace, identity: DirectoryIdentity) {
        do throws(FileObstacle) {
            let root = try WorkspaceRoot(invocation.directory)
            let identity = try root.identity()
            guard invocation.expected == nil || invocation.expected == identity else { throw .workspaceMoved }
            return (root.place, identity)
        } catch {
            throw error == .workspaceMoved ? .moved : .notStarted(error.words)
        }
    }
}

/// Tells a thread that waits for a child that the child is not wanted any more.
final class Cancellation: @unchecked Sendable {  // guard: the descriptors never change, and are closed at the end
    private let ends: [Int32]
    private let state = Locked(false)

    init() {
        var ends: [Int32] = [-1, -1]
        if cplatform_wake_open(&ends) < 0 { ends = [-1, -1] }
        self.ends = ends
    }

    deinit {
        for end in Set(ends) where end >= 0 { cplatform_close(end) }
    }

    /// Readable once cancelled; −1 if the system had no descriptor left.
    var descriptor: Int32 { ends[0] }
    var isCancelled: Bool { state.withLock { $0 } }

    func cancel() {
        state.withLock { $0 = true }
        if ends[1] >= 0 { cplatform_wake_signal(ends[1]) }
    }
}
