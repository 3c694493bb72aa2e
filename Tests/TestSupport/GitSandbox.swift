package import Core
import Glibc
import Services

/// A directory with repositories, a home for git's settings, and a shell in both.
package final class GitSandbox: Sendable {
    private let directory: TemporaryDirectory
    /// The repository that `sh` runs in.
    package let root: String

    /// - Parameter isRepository: False for a directory without one.
    package init(isRepository: Bool = true, name: String = "my-project") throws {
        directory = try TemporaryDirectory()
        root = directory(name)
        _ = shell("mkdir -p '\(root)' '\(directory("home"))'")
        try directory.write(
            "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n",
            to: "home/.gitconfig")
        if isRepository { sh("git init -q .") }
    }

    /// The variables that git gets.
    package var environment: [String: String] {
        [
            "PATH": String(cString: getenv("PATH")), "HOME": directory("home"), "GIT_CONFIG_NOSYSTEM": "1",
            "TMPDIR": directory.path,
        ]
    }

    package func path(_ name: String) -> String { directory(name) }

    /// Runs a script in the repository and returns what it writes.
    @discardableResult
    package func sh(_ script: String) -> String {
        try? directory.write("cd '\(root)' || exit 1\n\(script)\n", to: "script")
        let variables = environment.map { "\($0.key)='\($0.value)'" }.sorted().joined(separator: " ")
        return shell("env -i \(variables) sh '\(directory("script"))' 2>&1")
    }

    package func write(_ text: String, to name: String) throws {
        try directory.write(text, to: "\(root.split(separator: "/").last ?? "")/\(name)")
    }

    package func read(_ name: String) -> String? { readText("\(root)/\(name)") }

    package func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Files and their text, committed.
    package func commit(_ files: [String: String], message: String = "first") throws {
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            if let slash = name.lastIndex(of: "/") { sh("mkdir -p '\(name[..<slash])'") }
            try write(text, to: name)
        }
        sh("git add -A && git commit -q -m '\(message)'")
    }
}

/// Workspaces that a test names.
package struct NamedWorkspaces: WorkspaceFinder {
    private let paths: [String: String]

    package init(_ paths: [String: String]) {
        self.paths = paths
    }

    package func workspace(_ id: String) async -> Workspace? {
        guard let path = paths[id] else { return nil }
        let time = Timestamp(milliseconds: 0)
        return Workspace(id: id, name: "project", path: path, origin: .added, createdAt: time, lastActive: time)
    }

    package func workspace(holding path: String) async -> Workspace? { nil }
}
