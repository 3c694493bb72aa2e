import Core
import Host
import TestSupport
import Testing

/// The installed git, in real repositories.
@Suite("What git knows of files", .timeLimit(.minutes(1)))
struct GitFileFactsTests {
    private static let script = """
        export HOME=$PWD GIT_CONFIG_NOSYSTEM=1; git init -q .; git config user.email a@b.c; git config user.name n
        mkdir -p src/deep 'sr*' node_modules; printf 'node_modules/\\n*.log\\n' > .gitignore
        touch a src/b src/deep/c 'sr*/d' x.log node_modules/m ':(glob)z' "$(printf 'l\\nf')"
        git add -A; touch new; git commit -qm x; rm src/b
        """

    private func facts(_ stage: WorkspaceStage, _ names: [String], in path: String = "") throws -> GitNames? {
        let git = GitFileFacts(environment: ["HOME": stage.root, "PATH": "/usr/local/bin:/usr/bin:/bin"])
        return git.facts(of: names, in: try WorkspacePath(path), root: stage.root)
    }

    @Test func trackedAndIgnoredNamesAreTold() throws {
        let stage = try WorkspaceStage(Self.script)
        let names = ["a", "new", "x.log", "node_modules", "src", ":(glob)z", "l\nf"]
        let found = try #require(try facts(stage, names))
        #expect(found.tracked.isSuperset(of: ["a", ".gitignore", ":(glob)z", "l\nf"]))
        #expect(found.tracked.isDisjoint(with: ["new", "x.log", "src", "b", "src/b"]))
        #expect(found.ignored == ["x.log", "node_modules"])
    }

    @Test func onlyTheDirectoryItselfIsAsked() throws {
        let stage = try WorkspaceStage(Self.script)
        #expect(try facts(stage, ["b", "deep"], in: "src") == GitNames(tracked: ["b"], ignored: []))
        #expect(try facts(stage, ["d"], in: "sr*") == GitNames(tracked: ["d"], ignored: []))
        #expect(try facts(stage, ["m"], in: "node_modules") == GitNames(tracked: [], ignored: ["m"]))
    }

    @Test func withoutARepositoryNothingIsKnown() throws {
        #expect(try facts(WorkspaceStage("touch a"), ["a"]) == nil)
        #expect(GitFileFacts(environment: [:]).facts(of: ["a"], in: .root, root: "/") == nil)
    }

    /// A repository names programs that git would run.
    @Test func nothingOfTheRepositoryRuns() throws {
        let stage = try WorkspaceStage(
            Self.script + """
                ; printf '#!/bin/sh\\ntouch ran\\n' > run; chmod +x run; git config core.fsmonitor "$PWD/run"
                git config core.pager "$PWD/run"; git config core.sshCommand "$PWD/run"; git config alias.ls-files "!$PWD/run"
                for h in post-index-change reference-transaction fsmonitor-watchman; do cp run .git/hooks/$h; done
                """)
        #expect(try facts(stage, ["a"])?.tracked.contains("a") == true)
        #expect(try !stage.names().contains("ran"))
    }

    /// A page of long names is more than a pipe holds.
    @Test func manyNamesAreAsked() throws {
        let stage = try WorkspaceStage("export HOME=$PWD; git init -q .; echo '*9' > .gitignore")
        let names = (0..<500).map { String(repeating: "n", count: 200) + "\($0)" }
        let found = try facts(stage, names)
        #expect(found?.ignored.count == 50)
    }
}
