import Core
import Host
import Services
import TestSupport

/// A repository and the service that shows it, with the real git.
struct GitStage {
    let sandbox: GitSandbox
    let git: GitManager

    init(isRepository: Bool = true, workspaces: [String: String] = [:], environment: [String: String]? = nil) throws {
        sandbox = try GitSandbox(isRepository: isRepository)
        let paths = workspaces.merging(["w": sandbox.root]) { first, _ in first }
        git = GitManager(
            workspaces: NamedWorkspaces(paths), runner: GitProgram(environment: environment ?? sandbox.environment),
            files: WorkTreeFiles())
    }

    /// The service of files over a directory of the stage.
    func files(at name: String = "my-project") -> WorkspaceFiles {
        .over(sandbox.path(name), git: GitProgram(environment: sandbox.environment))
    }

    /// With a remote named `origin`, to which `main` was pushed.
    static func withRemote() throws -> GitStage {
        let stage = try GitStage()
        try stage.sandbox.commit(["a.txt": "one\n"])
        stage.sandbox.sh(
            "git init -q --bare ../remote && git remote add origin ../remote && git push -q -u origin main")
        return stage
    }

    /// A commit by somebody else, on the remote.
    func others(_ files: [String: String]) {
        var script = "rm -rf ../other && git clone -q ../remote ../other && cd ../other\n"
        for (name, text) in files { script += "printf '\(text)' > '\(name)'\n" }
        sandbox.sh(script + "git add -A && git commit -q -m other && git push -q")
    }

    func diff(_ path: String?, staged: Bool = false, sensitive: Bool = true, limit: Int = 1 << 20) async throws
        -> GitDiffReport
    {
        try await git.diff(
            GitDiffQuery(
                path: path.flatMap { GitPath(text: $0) }, isStaged: staged, showsSensitive: sensitive, limit: limit),
            in: "w")
    }

    func failure(_ body: () async throws -> Void) async -> GitFailure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? GitFailure
        }
    }

    func problem(_ body: () async throws -> Void) async -> GitProblem? {
        guard case .refused(let problem)? = await failure(body) else { return nil }
        return problem
    }
}

func paths(_ texts: String...) -> [GitPath] { texts.compactMap { GitPath(text: $0) } }

extension [GitStatus.Entry] {
    var texts: [String] { map { "\($0.status) \($0.path.text)" } }
}

extension GitDiffReport {
    var text: String { String(decoding: patch, as: UTF8.self) }
}

extension GitManager {
    /// The service over other directories of the same stage.
    static func over(_ stage: GitStage, _ paths: [String: String]) -> GitManager {
        GitManager(
            workspaces: NamedWorkspaces(paths), runner: GitProgram(environment: stage.sandbox.environment),
            files: WorkTreeFiles())
    }
}
