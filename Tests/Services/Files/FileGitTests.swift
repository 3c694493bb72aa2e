import Core
import Host
import Services
import TestSupport
import Testing

/// The installed git, in real repositories.
@Suite("What git knows of files", .timeLimit(.minutes(1)))
struct FileGitTests {
    private static let script = """
        mkdir -p src/deep 'sr*' node_modules; printf 'node_modules/\\n*.log\\n' > .gitignore
        touch a src/b src/deep/c 'sr*/d' x.log node_modules/m ':(glob)z' "$(printf 'l\\nf')"
        git add -A; touch new src/new; git commit -qm x
        """

    private func listing(_ sandbox: GitSandbox, _ path: String = "") async throws -> FileListing {
        try await WorkspaceFiles.over(sandbox.root, git: GitProgram(environment: sandbox.environment)).listing(path)
    }

    private func sandbox(_ script: String = FileGitTests.script) throws -> GitSandbox {
        let sandbox = try GitSandbox()
        sandbox.sh(script)
        return sandbox
    }

    @Test func trackedAndIgnoredNamesAreTold() async throws {
        let git = try #require(try await listing(sandbox()).git)
        #expect(git.tracked == [".gitignore", ":(glob)z", "a", "l\nf"])
        #expect(git.ignored == ["node_modules", "x.log"])
    }

    @Test(arguments: [
        ("src", GitNames(tracked: ["b"], ignored: [])), ("sr*", GitNames(tracked: ["d"], ignored: [])),
        ("node_modules", GitNames(tracked: [], ignored: ["m"])),
    ]) func onlyTheDirectoryItselfIsAsked(_ path: String, _ names: GitNames) async throws {
        #expect(try await listing(sandbox(), path).git == names)
    }

    @Test func aWorkspaceMayBeAPartOfARepository() async throws {
        let sandbox = try sandbox()
        let files = WorkspaceFiles.over(sandbox.root + "/src", git: GitProgram(environment: sandbox.environment))
        #expect(try await files.listing().git == GitNames(tracked: ["b"], ignored: []))
    }

    @Test func withoutARepositoryNothingIsKnown() async throws {
        let sandbox = try GitSandbox(isRepository: false)
        sandbox.sh("touch a")
        #expect(try await listing(sandbox).git == nil)
        let repository = try self.sandbox()
        let none = WorkspaceFiles.over(repository.root, git: GitProgram(environment: [:]))
        #expect(try await none.listing().git == nil)
        #expect(try await listing(repository).git != nil)
    }

    /// A page of long names is more than a pipe holds.
    @Test func manyNamesAreAsked() async throws {
        let sandbox = try sandbox(
            "echo '*9' > .gitignore; for n in $(seq 499); do touch $(printf '%0200d' $n); done")
        #expect(try await listing(sandbox).git?.ignored.count == 49)
    }

    @Test func aListThatIsTooLongSaysNothing() async throws {
        let sandbox = try sandbox(
            """
            touch a; id=$(git hash-object -w a)
            for n in $(seq 40000); do printf '100644 %s\\t%0240d\\n' $id $n; done | git update-index --index-info
            """)
        let found = try await listing(sandbox)
        #expect(found.page.files.map(\.name) == ["a"] && found.git == nil)
    }

    /// The place of the repository and its filters are asked for at first, both at once.
    private static let (begun, ended) = (["began", "began"], ["ended", "ended"])

    @Test func aGitThatDoesNotAnswerIsGivenUp() async throws {
        let (sandbox, events, clock) = (try sandbox(), Events<String>(), ManualClock())
        let files = WorkspaceFiles.over(sandbox.root, git: EndlessGit(events: events), clock: clock)
        let outcome = Task { try await files.listing("src") }
        #expect(try await events.next(2) == Self.begun)
        clock.advance(by: 2)
        let found = try await outcome.value
        #expect(found.page.files.map(\.name) == ["b", "new"] && found.git == nil)
        #expect(try await events.next(2) == Self.ended)
        withExtendedLifetime(sandbox) {}
    }

    @Test func aClientThatLeavesEndsGit() async throws {
        let (sandbox, events) = (try sandbox(), Events<String>())
        let files = WorkspaceFiles.over(sandbox.root, git: EndlessGit(events: events))
        let outcome = Task { try await files.listing() }
        #expect(try await events.next(2) == Self.begun)
        outcome.cancel()
        #expect(try await events.next(2) == Self.ended)
        _ = try await outcome.value
        withExtendedLifetime(sandbox) {}
    }
}
