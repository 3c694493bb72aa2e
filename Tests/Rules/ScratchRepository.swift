import Foundation
import Host
import OrderedJSON
import Rules

/// A real git repository for tests of the rules, with files of a project and files that an attacker might plant.
///
/// Next to it lies `outside`, a directory that no rule may reach.
final class ScratchRepository: Sendable {
    let root: String
    let outside: String
    let home: String
    private let temporary: String

    static let shared = try? ScratchRepository()

    private static let files = [
        "README.md", "a", "a.txt", "b.txt", "notes.md", "Makefile", "package.json", "gen.py", "other.py", "gradlew",
        "src/main.c", "src/a.txt", "src/b.txt", "src/index.ts", "src/deep/x.txt", "sub/a.txt", "sub/tool.sh",
        "docs/intro.md", "docs/api/x.md", "config/app.yml", "cfg/app.ini", "lib/x.rb", "tests/test_a.py",
        "pkg/x/x.go", "cmd/tool/main.go", "build.js", "run.sh", "two words.sh", ".env", ".env.local", ".env.example",
        ".ssh/id_ed25519", ".claude/settings.json", "node_modules/evil/run.js", "node_modules/evil/package.json",
        ".hidden/run.sh", ".hidden/x.txt", "planted/HEAD", "planted/objects/x", "planted/refs/x", "nested/.git/HEAD",
        "nested/a.txt", "keys/server.pem", "dash/-rf.txt", "globs/fine.cfg", "secrets/token.txt", "credentials.json",
        "opts.txt", "remote", "main.py", "evil.js", "vendor/x/package.json", "vendor/x/a.txt",
        "web/package.json", "tsconfig.json",
    ]

    private static let links = [
        "out": "../outside", "outfile": "../outside/x", "etc": "/etc", "inlink": "src/deep", "secretlink": ".env",
        "globs/away.cfg": "../../outside/x", "loop": "loop", "moved.sh": "../outside/x.sh", "hiddenlink": ".hidden",
        "foo": "../outside/x", "sub/up": "../src", "dangling": "../outside/none",
    ]

    /// - Parameter setup: further entries: `name/`, `name -> target`, `name = text` or `name`; `HOME` in a text is the home
    ///   directory. With any, the caller must call `remove`.
    init(setup: [String] = []) throws {
        let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "rules-\(UUID().uuidString)")
        temporary = directory.path
        let base = directory.appending(path: "home/me")
        home = base.path
        root = base.appending(path: "repo").path
        outside = base.appending(path: "outside").path
        for file in Self.files { try Self.write(root + "/" + file) }
        for file in ["x", "x.sh", "x.txt"] { try Self.write(outside + "/" + file) }
        for (link, target) in Self.links {
            try FileManager.default.createSymbolicLink(atPath: root + "/" + link, withDestinationPath: target)
        }
        try Data("nested/\n".utf8).write(to: URL(filePath: root + "/.gitignore"))
        for entry in setup { try Self.make(entry, in: root) }
        try Self.write(base.path + "/side.txt")
        // Starting git takes longer than a case.
        if let shared = setup.isEmpty || setup.contains(where: { $0.hasPrefix(".git/") }) ? nil : Self.shared {
            try FileManager.default.copyItem(atPath: shared.root + "/.git", toPath: root + "/.git")
        } else {
            try Self.startGit(in: root)
        }
        guard setup.isEmpty else { return }
        // The shared repository is removed when the test process ends.
        atexit {
            guard let shared = ScratchRepository.shared else { return }
            try? FileManager.default.removeItem(atPath: shared.temporary)
        }
    }

    private static func startGit(in root: String) throws {
        let git = try Process.run(URL(filePath: "/usr/bin/git"), arguments: ["init", "-q", root])
        git.waitUntilExit()
        let settings = try FileHandle(forWritingTo: URL(filePath: root + "/.git/config"))
        try settings.seekToEnd()
        try settings.write(contentsOf: Data(Self.remotes.utf8))
        try settings.close()
    }

    private static let remotes = """
        [remote "origin"]
        \turl = https://example.invalid/me/repo.git
        \tfetch = +refs/heads/*:refs/remotes/origin/*
        [remote "api"]
        \turl = git@example.invalid:me/api.git
        [remote "docs"]
        \turl = https://example.invalid/me/docs.git
        [branch "main"]
        \tremote = origin

        """

    private static func make(_ entry: String, in root: String) throws {
        let text = entry.components(separatedBy: " = ")
        guard text.count == 1 else {
            let text = (text[0], text[1...].joined(separator: " = "))
            return try write(root + "/" + text.0, text.1.replacing("HOME", with: PathsForTests.above(root)))
        }
        let link = entry.components(separatedBy: " -> ")
        try? FileManager.default.removeItem(atPath: root + "/" + link[0])
        if link.count == 2 {
            try FileManager.default.createDirectory(
                at: URL(filePath: root + "/" + link[0]).deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: root + "/" + link[0], withDestinationPath: link[1])
        } else if entry.hasSuffix("/") {
            try FileManager.default.createDirectory(
                atPath: root + "/" + entry, withIntermediateDirectories: true)
        } else {
            try write(root + "/" + entry)
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: temporary)
    }

    private static func write(_ path: String, _ text: String = "") throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private var variables: [String: String] {
        [
            "XDG_CONFIG_HOME": root + "/own-config", "GIT_CONFIG_GLOBAL": root + "/conf/own-git.txt",
            "GIT_CONFIG_SYSTEM": root + "/conf/all-git.txt",
        ]
    }

    /// - Parameters:
    ///   - root: relative to the repository's top.
    ///   - cwd: relative to `root`.
    func context(root name: String = "", cwd: String = "", commands: CommandTable = .shipped) -> RuleContext {
        let root = PathsForTests.join(root, name)
        return RuleContext(
            root: root, rootIsBroad: false, cwd: PathsForTests.join(root, cwd), home: home,
            agentDirectory: self.root + "/own-agent", ownGitFiles: GitVariables.files(environment: variables),
            commands: commands)
    }
}

enum PathsForTests {
    static func above(_ path: String) -> String { path.components(separatedBy: "/").dropLast().joined(separator: "/") }

    static func join(_ root: String, _ name: String) -> String {
        name.isEmpty ? root : name.hasPrefix("/") ? name : root + "/" + name
    }
}
