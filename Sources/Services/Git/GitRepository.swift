import Core

/// A workspace's repository, found, with its ways to run git in it.
struct GitRepository: Sendable {
    /// The workspace's directory.
    let directory: String
    /// The work tree's directory.
    let root: String
    /// Git's directory of this work tree, and the one that all work trees share.
    let gitDirectory: String
    let commonDirectory: String
    /// The workspace's directory as it was when the repository was found: nothing else is read or written.
    let identity: DirectoryIdentity?
    let runner: any GitRunner
    /// Settings that take the repository's filters off.
    let filters: [GitInvocation.Setting]

    /// The workspace's directory in the work tree, with `/` at its end; empty if it is the whole.
    var prefix: [UInt8] {
        let (root, directory) = (Array(root.utf8), Array(directory.utf8))
        guard directory.starts(with: root), directory.count > root.count else { return [] }
        return Array(directory.dropFirst(root.last == UInt8(ascii: "/") ? root.count : root.count + 1)) + [
            UInt8(ascii: "/")
        ]
    }

    // MARK: Running

    /// Runs what changes nothing, without any program that the repository names.
    /// - Parameters:
    ///   - isLiteral: False if the words hold patterns of paths.
    ///   - statuses: Exit statuses that are no failure.
    func read(
        _ words: [GitWord], input: [UInt8] = [], isLiteral: Bool = true, mostOutput: Int = 1 << 20,
        statuses: Set<Int32> = [0]
    ) async throws(GitFailure) -> GitOutput {
        var invocation = GitInvocation(.reading, in: directory, words)
        invocation.settings = GitNeutral.settings + filters
        invocation.isLiteral = isLiteral
        invocation.input = input
        invocation.mostOutput = mostOutput
        return try await output(of: invocation, statuses)
    }

    /// The same, for several at a time.
    func attempt(_ words: [GitWord], mostOutput: Int) async -> Result<GitOutput, GitFailure> {
        await Result.of { () async throws(GitFailure) in try await read(words, mostOutput: mostOutput) }
    }

    /// Runs what changes the repository.
    /// - Parameter paths: Paths on its standard input, each with a NUL.
    func write(
        _ words: [GitWord], paths: [GitPath]? = nil, input: [UInt8] = [], statuses: Set<Int32> = [0]
    ) async throws(GitFailure) -> GitOutput {
        var invocation = GitInvocation(.writing, in: directory, words)
        invocation.settings = Self.output
        // Some commands use patterns of their own inside.
        invocation.isLiteral = paths != nil
        invocation.input = paths.map { $0.flatMap { $0.bytes + [0] } } ?? input
        return try await output(of: invocation, statuses)
    }

    /// Runs what talks to another machine.
    func transfer(
        _ words: [GitWord], _ kind: GitInvocation.Kind, settings: [GitInvocation.Setting]
    ) async throws(GitFailure) -> GitOutput {
        var invocation = GitInvocation(kind, in: directory, words)
        invocation.settings = Self.output + settings
        invocation.isLiteral = false
        return try await output(of: invocation, [0])
    }

    private func output(
        of invocation: GitInvocation, _ statuses: Set<Int32>
    ) async throws(GitFailure) -> GitOutput {
        var invocation = invocation
        invocation.expected = identity
        return try await runner.output(of: invocation, statuses)
    }

    /// The form of the output that is parsed.
    private static let output: [GitInvocation.Setting] = [
        .init("color.ui", "false"), .init("core.quotePath", "false"),
    ]
}

extension GitRepository {
    private static let place: [GitWord] = [
        "rev-parse", "--path-format=absolute", "--show-toplevel", "--absolute-git-dir", "--git-common-dir",
    ]

    /// Finds the repository that holds the directory.
    static func find(_ directory: String, _ runner: any GitRunner) async throws(GitFailure) -> GitRepository {
        async let listing = Result.of { () async throws(GitFailure) in try await filters(directory, runner) }
        let found = await Result.of { () async throws(GitFailure) in
            var invocation = GitInvocation(.reading, in: directory, place)
            invocation.settings = GitNeutral.settings
            return try await runner.output(of: invocation, [0])
        }
        let off = await listing
        let output = try found.get()
        let lines = output.text.split(separator: "\n").map(String.init)
        // Git before 2.31 takes the option for a name and prints it.
        guard lines.count == 3, lines.allSatisfy({ $0.hasPrefix("/") }) else { throw .tooOld }
        let listed = try off.get()
        // The filters of one repository would not be taken off in another.
        guard listed.directory == output.directory else { throw GitFailure(.moved, in: directory) }
        return GitRepository(
            directory: directory, root: lines[0], gitDirectory: lines[1], commonDirectory: lines[2],
            identity: output.directory, runner: runner, filters: listed.settings)
    }

    private static func filters(
        _ directory: String, _ runner: any GitRunner
    ) async throws(GitFailure) -> (settings: [GitInvocation.Setting], directory: DirectoryIdentity?) {
        var invocation = GitInvocation(.reading, in: directory, GitNeutral.listing)
        invocation.settings = GitNeutral.settings
        // 1: there are none.
        let output = try await runner.output(of: invocation, [0, 1])
        guard !output.isCut, let settings = GitNeutral.filters(in: output.output) else { throw .tooManyFilters }
        return (settings, output.directory)
    }
}

extension GitRunner {
    /// The output of a run; an exit status that is not among `statuses` is a failure.
    func output(of invocation: GitInvocation, _ statuses: Set<Int32>) async throws(GitFailure) -> GitOutput {
        let output: GitOutput
        do throws(GitRunFailure) { output = try await run(invocation) } catch {
            throw GitFailure(error, in: invocation.directory)
        }
        // A reading that was ended because it wrote too much has no status of its own.
        guard statuses.contains(output.status) || output.isCut && invocation.kind == .reading else {
            throw .refused(GitProblem(output))
        }
        return output
    }
}

extension GitFailure {
    init(_ failure: GitRunFailure, in directory: String) {
        switch failure {
        case .busy: self = .busy
        case .cancelled: self = .cancelled
        case .late(let seconds): self = .late(seconds: seconds)
        case .moved: self = .noDirectory(path: directory, reason: FileObstacle.workspaceMoved.words)
        case .notInstalled: self = .notInstalled
        case .notStarted(let reason): self = .noDirectory(path: directory, reason: reason)
        }
    }
}

extension Result where Failure == GitFailure, Success: Sendable {
    static func of(_ body: () async throws(GitFailure) -> Success) async -> Self {
        do throws(GitFailure) { return .success(try await body()) } catch { return .failure(error) }
    }
}
