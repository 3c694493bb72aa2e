import Core
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct GitReadingTests {
    @Test func showsTheState() async throws {
        let stage = try GitStage.withRemote()
        try stage.sandbox.commit(["b.txt": "1\n2\n3\n4\n5\n"], message: "second")
        stage.sandbox.sh("echo two >> a.txt; git mv b.txt c.txt; echo x > new; rm -f gone")
        let report = try await stage.git.status(in: "w")
        #expect(report.status.branch == "main" && report.status.upstream == "origin/main")
        #expect(report.status.ahead == 1 && report.status.behind == 0)
        #expect(report.status.staged.texts == ["R c.txt"] && report.status.staged[0].oldPath?.text == "b.txt")
        #expect(report.status.unstaged.texts == ["M a.txt"] && report.status.untracked.texts == ["? new"])
        #expect(report.status.unstaged[0].lines == GitLineCount(added: 1, deleted: 0))
        #expect(report.name == "my-project" && report.root == stage.sandbox.root && report.operation == nil)
    }

    @Test func anEmptyRepositoryIsShown() async throws {
        let stage = try GitStage()
        let report = try await stage.git.status(in: "w")
        #expect(report.status.branch == "main" && report.status.commit == nil && report.status.isClean)
        #expect(try await stage.git.branches(in: "w") == GitBranchReport(current: "main", branches: []))
        #expect(try await stage.git.log(GitLogQuery(limit: 5), in: "w") == GitLogPage(commits: [], hasMore: false))
        #expect(try await stage.git.stashes(in: "w") == [])
        #expect(try await stage.diff(nil).patch == [])
        stage.sandbox.sh("echo x > a; git add a")
        #expect(try await stage.git.status(in: "w").status.staged.texts == ["A a"])
        #expect(try await stage.diff("a", staged: true).isNew)
        try await stage.git.unstage(paths("a"), in: "w")
        #expect(try await stage.git.status(in: "w").status.untracked.texts == ["? a"])
    }

    @Test func aDetachedHeadHasNoBranch() async throws {
        let stage = try GitStage.withRemote()
        stage.sandbox.sh("git checkout -q --detach")
        let report = try await stage.git.status(in: "w")
        #expect(report.status.branch == nil && report.status.commit?.count == 40)
        let branches = try await stage.git.branches(in: "w")
        #expect(branches.current == nil && branches.branches.map(\.name) == ["main", "origin/main"])
    }

    @Test func conflictsAreShownWithTheOperation() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        stage.sandbox.sh(
            "git switch -qc other; echo 2 > a; git commit -qam 2; git switch -q main; echo 3 > a; git commit -qam 3; git merge other"
        )
        let report = try await stage.git.status(in: "w")
        #expect(report.operation == .merge && report.status.conflicted.texts == ["UU a"])
        #expect(try await stage.diff("a").text.contains("<<<<<<<"))
        #expect(await stage.problem { _ = try await stage.git.discard(paths("a"), in: "w") }?.kind == .conflict)
        #expect(
            await stage.problem { _ = try await stage.git.commit(.init(message: "x", isPushed: false), in: "w") }?.kind
                == .unfinished)
        #expect(try await stage.git.abort(in: "w") == .merge)
        #expect(stage.sandbox.read("a") == "3\n")
        #expect(await stage.problem { _ = try await stage.git.abort(in: "w") }?.kind == .nothingToDo)
    }

    /// Of ten thousand files somebody reads the number, not each one's lines.
    @Test func aLongListComesWithoutItsLines() async throws {
        let stage = try GitStage()
        stage.sandbox.sh(
            """
            echo one > base; blob=$(git hash-object -w base)
            for n in $(seq 10001); do echo "100644 $blob	f$n"; done | git update-index --index-info
            """)
        let report = try await stage.git.status(in: "w")
        #expect(report.status.staged.count == 10_001 && report.status.staged.allSatisfy { $0.lines == nil })
        stage.sandbox.sh("git update-index --force-remove f1 f2; touch $(git ls-files)")
        #expect(try await stage.git.status(in: "w").status.staged.allSatisfy { $0.lines?.added == 1 })
    }

    /// A hundred thousand long names are 35 MiB.
    @Test func aListThatIsTooLongIsRefused() async throws {
        let stage = try GitStage()
        stage.sandbox.sh(
            """
            echo one > base; blob=$(git hash-object -w base); name=$(printf '%0240d' 0)
            for n in $(seq 100000); do echo "100644 $blob	$name$n"; done | git update-index --index-info
            """)
        let problem = await stage.problem { _ = try await stage.git.status(in: "w") }
        #expect(problem?.message == "the list of changes is longer than 32 MiB")
    }

    static let names: [String] = ["a\nb", #""c\351""#, "-f", ":(glob)*", "ä ö", #""\"q\"""#, "*", "a\tb", "b\\c"]

    @Test(arguments: names) func anyNameCanBeStagedAndShown(name: String) async throws {
        let stage = try GitStage()
        let path = try #require(GitPath(text: name))
        let octal = path.bytes.map { "\\" + String($0 >> 6) + String($0 >> 3 & 7) + String($0 & 7) }.joined()
        stage.sandbox.sh("n=$(printf '\(octal)x'); echo 1 > \"./${n%x}\"; echo 2 > other")
        #expect(try await stage.git.status(in: "w").status.untracked.map(\.path).contains(path))
        #expect(try await stage.diff(name).text.contains("+1\n"))
        try await stage.git.stage([path], in: "w")
        #expect(try await stage.git.status(in: "w").status.staged.map(\.path) == [path])
        #expect(try await stage.diff(name, staged: true).isNew)
        stage.sandbox.sh("n=$(printf '\(octal)x'); echo 3 > \"./${n%x}\"")
        #expect(try await stage.diff(name).text.contains("-1\n+3\n"))
        #expect(try await stage.git.discard([path], in: "w").restored == [path])
        try await stage.git.unstage([path], in: "w")
        #expect(try await stage.git.discard([path], in: "w").deleted == [path])
        #expect(stage.sandbox.sh("ls") == "other\n")
    }

    @Test func aBranchMayBeCalledAsAnOption() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        stage.sandbox.sh("git update-ref refs/heads/-f HEAD")
        #expect(try await stage.git.branches(in: "w").branches.map(\.name) == ["-f", "main"])
        #expect(try await stage.git.log(GitLogQuery(revision: "refs/heads/-f", limit: 1), in: "w").commits.count == 1)
        #expect(
            await stage.problem { _ = try await stage.git.log(.init(revision: "--all", limit: 1), in: "w") }?.kind
                == .unknownName)
        #expect(try await stage.git.checkout(branch: "-f", create: false, in: "w").branch == "-f")
        #expect(try await stage.git.status(in: "w").status.branch == "-f")
        _ = try await stage.git.checkout(branch: "main", create: false, in: "w")
        _ = try await stage.git.deleteBranch("-f", force: false, in: "w")
        #expect(try await stage.git.branches(in: "w").branches.map(\.name) == ["main"])
    }

    @Test func workTreesAndSubmodules() async throws {
        let stage = try GitStage(workspaces: [:])
        try stage.sandbox.commit(["a": "1\n"])
        stage.sandbox.sh(
            "git worktree add -q -b side ../tree; git init -q ../module; cd ../module; git commit -q --allow-empty -m m"
        )
        stage.sandbox.sh(
            "git submodule add -q ../module sub && git commit -qm sub; cd sub; git commit -q --allow-empty -m n; echo x > new"
        )
        let entries = try await stage.git.status(in: "w").status.unstaged
        #expect(entries.texts == ["M sub"] && entries[0].isSubmodule)
        #expect(try await stage.diff("sub").text.contains("+Subproject commit"))
        let other = GitManager.over(stage, ["t": stage.sandbox.path("tree"), "s": stage.sandbox.root + "/sub"])
        #expect(try await other.status(in: "t").status.branch == "side")
        #expect(try await other.status(in: "t").root == stage.sandbox.path("tree"))
        #expect(try await other.status(in: "s").status.untracked.texts == ["? new"])
    }

    @Test func aWorkspaceMayBePartOfARepository() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["sub/a": "1\n", "b": "1\n"])
        stage.sandbox.sh("echo 2 > sub/a; echo 2 > b; echo 3 > sub/new; echo 3 > new")
        let git = GitManager.over(stage, ["p": stage.sandbox.root + "/sub"])
        let status = try await git.status(in: "p").status
        #expect(status.unstaged.texts == ["M a"] && status.untracked.texts == ["? new"])
        #expect(status.unstaged[0].lines == GitLineCount(added: 1, deleted: 1))
        let query = GitDiffQuery(path: nil, isStaged: false, showsSensitive: true, limit: 1 << 20)
        #expect(try await git.diff(query, in: "p").text.hasPrefix("diff --git a/a b/a\n"))
        let shown = try await git.show(GitShowQuery(revision: "HEAD", showsSensitive: true, limit: 1 << 20), in: "p")
        #expect(shown.files.map(\.path.text) == ["a"] && shown.diff.text.hasPrefix("diff --git a/a b/a\n"))
        try await git.stage(paths("a", "new"), in: "p")
        #expect(try await stage.git.status(in: "w").status.staged.texts == ["M sub/a", "A sub/new"])
        stage.sandbox.sh("echo 4 > sub/a")
        #expect(try await git.discard(paths("."), in: "p").restored == paths("a"))
        #expect(stage.sandbox.read("sub/a") == "2\n" && stage.sandbox.read("b") == "2\n")
    }

    @Test func logAndShow() async throws {
        let stage = try GitStage()
        for number in 1...5 {
            try stage.sandbox.commit(["a": "\(number)\n", "f\(number)": "x\n"], message: "number \(number)")
        }
        let page = try await stage.git.log(GitLogQuery(offset: 1, limit: 2), in: "w")
        #expect(page.commits.map(\.subject) == ["number 4", "number 3"] && page.hasMore)
        #expect(page.commits[0].author == "Ann" && page.commits[0].parents == [page.commits[1].id])
        let some = try await stage.git.log(GitLogQuery(path: GitPath(text: "f2"), limit: 5), in: "w")
        #expect(some.commits.map(\.subject) == ["number 2"] && !some.hasMore)
        let query = GitShowQuery(revision: page.commits[0].id, showsSensitive: true, limit: 1 << 20)
        let shown = try await stage.git.show(query, in: "w")
        #expect(shown.commit == page.commits[0])
        #expect(shown.files.map(\.path.text) == ["a", "f4"] && shown.files.map(\.status) == ["M", "A"])
        #expect(shown.files[0].lines == GitLineCount(added: 1, deleted: 1))
        #expect(shown.diff.text.contains("-3\n+4\n") && shown.diff.text.hasPrefix("diff --git a/a b/a\n"))
    }

    @Test func sensitiveFilesNeedTheRightToDrive() async throws {
        let stage = try GitStage()
        let settings = String(repeating: "SETTING=1\n", count: 20)
        try stage.sandbox.commit([".env": settings, "a": "1\n"])
        stage.sandbox.sh("echo SECRET=1 >> .env; echo 2 > a; echo SECRET=2 > .env.local; echo k > id_rsa")
        for path in [".env", ".env.local", "id_rsa", "./.env", ".//.env"] {
            let report = try await stage.diff(path, sensitive: false)
            #expect(report.patch.isEmpty && report.hidden.map(\.text) == [path])
            #expect(try await stage.diff(path).text.contains("+"), "\(path)")
        }
        let all = try await stage.diff(nil, sensitive: false)
        #expect(all.text.contains("+2\n") && !all.text.contains("SECRET") && all.hidden.map(\.text) == [".env"])
        stage.sandbox.sh("git mv .env plain; git add -A; git commit -qm moved")
        let staged = try await stage.git.show(.init(revision: "HEAD", showsSensitive: false, limit: 1 << 20), in: "w")
        #expect(!staged.diff.text.contains("SECRET") && staged.diff.text.contains("+2\n"))
        #expect(staged.files.map(\.path.text).contains(".env.local"))
    }

    @Test func longDifferencesAreCutAtALine() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": ""])
        stage.sandbox.sh("seq 1 200000 > a; seq 1 200000 > new")
        for path in ["a", "new", nil] {
            let report = try await stage.diff(path, limit: 10_000)
            #expect(report.isCut && report.patch.count <= 10_000 && report.patch.last == 10)
        }
    }

    @Test func nothingButFilesIsOpened() async throws {
        let stage = try GitStage()
        stage.sandbox.sh("mkfifo pipe; ln -s /etc/passwd link; ln -s /etc dir; mkdir d; ln -s ../pipe d/p")
        #expect(try await stage.diff("pipe").patch == [])
        #expect(try await stage.diff("link").text.contains("new file mode 120000"))
        #expect(try await stage.diff("link").text.contains("+/etc/passwd\n"))
        #expect(try await stage.diff("dir/passwd").patch == [])
    }

    @Test func saysWhatIsWrong() async throws {
        let stage = try GitStage(isRepository: false)
        #expect(await stage.problem { _ = try await stage.git.status(in: "w") }?.kind == .notARepository)
        #expect(await stage.failure { _ = try await stage.git.status(in: "x") } == .noWorkspace(id: "x"))
        let missing = try GitStage(environment: ["PATH": "/none:relative"])
        #expect(await missing.failure { _ = try await missing.git.status(in: "w") } == .notInstalled)
        let gone = GitManager.over(stage, ["g": stage.sandbox.path("gone")])
        guard case .noDirectory? = await stage.failure({ _ = try await gone.status(in: "g") }) else {
            Issue.record("a directory that is gone is another failure")
            return
        }
        let bare = try GitStage()
        bare.sandbox.sh("git init -q --bare ../bare")
        let inside = GitManager.over(bare, ["b": bare.sandbox.path("bare"), "d": bare.sandbox.root + "/.git"])
        #expect(await bare.problem { _ = try await inside.status(in: "b") }?.kind == .bare)
        #expect(await bare.problem { _ = try await inside.status(in: "d") }?.kind == .bare)
        bare.sandbox.sh("echo [junk > .git/config")
        #expect(await bare.failure { _ = try await bare.git.status(in: "w") } != nil)
        if bare.sandbox.sh("id -u") == "0\n" {
            let owned = try GitStage()
            owned.sandbox.sh("chown -R 12345 .")
            #expect(await owned.problem { _ = try await owned.git.status(in: "w") }?.kind == .owner)
        }
    }
}
