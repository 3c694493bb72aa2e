import CPlatform
package import Core
import Glibc
import Platform

/// Runs the installed `git`, without a shell, in an environment of its own, with limits. Runs wait on threads beside the
/// loop.
package final class GitProgram: GitRunner {
    private let environment: [String: String]
    private let readings = WorkLane(threads: 4, mostWeight: 256)
    /// Hooks and other machines may take minutes, so what only reads does not wait behind them.
    private let changes = WorkLane(threads: 16, mostWeight: 64)

    /// The variables that git gets of the daemon's.
    package static var variables: [String] { GitEnvironment.forWriting }

    /// - Parameter environment: The daemon's; git gets a few variables of it.
    package init(environment: [String: String]) {
        self.environment = environment
        // Git may end before it has read its input.
        cplatform_ignore_sigpipe()
    }

    package func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput {
        let lane = invocation.kind == .reading ? readings : changes
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
        guard let path = Self.path(in: environment["PATH"] ?? "") else { throw .notInstalled }
        guard !cancellation.isCancelled else { throw .cancelled }
        let variables = GitEnvironment.variables(for: invocation, daemon: environment)
        let child = try GitChild(
            path, [GitWord("git")] + invocation.words, variables, invocation.directory)
        // A run that writes is not ended by its client.
        return try child.finish(invocation, invocation.kind == .writing ? Cancellation() : cancellation)
    }

    /// The path of `git`, as a shell finds it; directories that are not absolute do not count.
    private static func path(in directories: String) -> String? {
        directories.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/git" }.first { path in
            var found = stat()
            return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
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
