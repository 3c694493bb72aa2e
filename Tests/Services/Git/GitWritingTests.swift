import Core
import Services
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct GitWritingTests {
    @Test func stagesUnstagesAndDiscards() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n", "dir/b": "1\n", "gone": "1\n"])
        stage.sandbox.sh(
            "echo 2 > a; echo 2 > dir/b; rm gone; echo x > dir/new; echo y > other; echo ignored > .gitignore; echo i > ignored"
        )
        try await stage.git.stage(paths("a", "gone"), in: "w")
        #expect(try await stage.git.status(in: "w").status.staged.texts == ["M a", "D gone"])
        try await stage.git.unstage(paths("gone"), in: "w")
        #expect(try await stage.git.status(in: "w").status.staged.texts == ["M a"])
        // A directory's untracked files are not deleted with it.
        let done = try await stage.git.discard(paths("dir", "gone", "other"), in: "w")
        #expect(done == GitDiscarded(restored: paths("dir/b", "gone"), deleted: paths("other")))
        #expect(stage.sandbox.sh("ls dir; cat dir/b gone; ls other").hasPrefix("b\nnew\n1\n1\n"))
        #expect(!stage.sandbox.exists(stage.sandbox.root + "/other"))
        for path in ["ignored", "nothing", "dir", "a"] {
            #expect(await stage.problem { _ = try await stage.git.discard(paths(path), in: "w") }?.kind == .nothingToDo)
        }
        #expect(stage.sandbox.read("ignored") == "i\n" && stage.sandbox.read("dir/new") == "x\n")
        #expect(await stage.problem { try await stage.git.stage(paths("ignored"), in: "w") }?.kind == .ignored)
        #expect(await stage.problem { try await stage.git.stage(paths("a", "nothing"), in: "w") }?.kind == .unknownName)
    }

    @Test func discardStaysInTheWorkspace() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["sub/a": "1\n", "b": "1\n"])
        stage.sandbox.sh("echo 2 > b; echo x > ../outside; ln -s .. sub/up; echo n > new")
        let git = GitManager.over(stage, ["p": stage.sandbox.root + "/sub"])
        for path in ["up/b", "up/new", "up/../outside"].compactMap({ GitPath(text: $0) }) {
            #expect(await stage.failure { _ = try await git.discard([path], in: "p") } != nil)
        }
        #expect(stage.sandbox.read("b") == "2\n" && stage.sandbox.read("new") == "n\n")
        #expect(try await git.discard(paths("up"), in: "p").deleted == paths("up"))
        #expect(stage.sandbox.exists(stage.sandbox.path("outside")))
    }

    @Test func commitsAndPushes() async throws {
        let stage = try GitStage.withRemote()
        let order = GitCommitOrder(message: "-a subject\n\nbody 'x' \"y\" $z\n# no comment", isPushed: true)
        #expect(await stage.problem { _ = try await stage.git.commit(order, in: "w") }?.kind == .nothingToDo)
        stage.sandbox.sh("echo 2 > b; echo 3 > c; git add b c; echo 4 >> a.txt")
        let done = try await stage.git.commit(order, in: "w")
        #expect(done.files == 2 && done.id == stage.sandbox.sh("git rev-parse HEAD").dropLast())
        #expect(try done.push?.get().target == "origin/main" && done.push?.get().commits == 1)
        #expect(stage.sandbox.sh("git log -1 --format=%B").hasPrefix(order.message))
        #expect(stage.sandbox.sh("git -C ../remote rev-parse main") == stage.sandbox.sh("git rev-parse HEAD"))
        stage.sandbox.sh("git commit -qam 5; git commit -q --allow-empty -m 6")
        #expect(try await stage.git.push(GitPushOrder(), in: "w").commits == 2)
        #expect(try await stage.git.push(GitPushOrder(), in: "w").isUpToDate)
    }

    @Test func aPushThatFailsLeavesTheCommit() async throws {
        let stage = try GitStage.withRemote()
        stage.others(["z": "z"])
        stage.sandbox.sh("echo 2 > b; git add b")
        let done = try await stage.git.commit(GitCommitOrder(message: "m", isPushed: true), in: "w")
        guard case .failure(.refused(let problem))? = done.push else {
            Issue.record("the push was not refused")
            return
        }
        #expect(problem.kind == .rejected && done.files == 1)
    }

    @Test func whoCommitsIsToldWhatIsMissing() async throws {
        let stage = try GitStage()
        stage.sandbox.sh("printf '[user]\\n\\tuseConfigOnly = true\\n' > ~/.gitconfig; echo 1 > a; git add a")
        let order = GitCommitOrder(message: "m", isPushed: false)
        #expect(await stage.problem { _ = try await stage.git.commit(order, in: "w") }?.kind == .identity)
        stage.sandbox.sh("git config user.name a; git config user.email b; touch .git/index.lock")
        #expect(await stage.problem { _ = try await stage.git.commit(order, in: "w") }?.kind == .locked)
    }

    @Test func hooksRunAndAreHeard() async throws {
        let stage = try GitStage.withRemote()
        stage.sandbox.sh(
            """
            printf '#!/bin/sh\\necho from the hook; exit $(cat ../exit)\\n' > .git/hooks/pre-commit
            printf '#!/bin/sh\\necho pushing, file not found; exit $(cat ../exit)\\n' > .git/hooks/pre-push
            chmod +x .git/hooks/*; echo 1 > ../exit; echo 2 > b; git add b
            """)
        let order = GitCommitOrder(message: "m", isPushed: false)
        let refused = await stage.problem { _ = try await stage.git.commit(order, in: "w") }
        #expect(refused?.kind == .hook && refused?.output.contains("from the hook") == true)
        stage.sandbox.sh("echo 0 > ../exit")
        #expect(try await stage.git.commit(order, in: "w").output.contains("from the hook"))
        stage.sandbox.sh("echo 1 > ../exit")
        let push = await stage.problem { _ = try await stage.git.push(GitPushOrder(), in: "w") }
        #expect(push?.kind == .hook && push?.output.contains("pushing") == true)
        stage.sandbox.sh("echo 0 > ../exit")
        #expect(try await stage.git.push(GitPushOrder(), in: "w").output.contains("pushing"))
    }

    @Test(arguments: [".git/config", "sub/.git/HEAD", "./.git"]) func gitsOwnFilesAreNotStaged(path: String)
        async throws
    {
        let stage = try GitStage()
        guard case .invalid? = await stage.failure({ try await stage.git.stage(paths("a", path), in: "w") }) else {
            Issue.record("\(path) was taken")
            return
        }
    }

    @Test(arguments: ["-", "@{-1}"]) func aWordForABranchIsNotItsName(word: String) async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        _ = try await stage.git.checkout(branch: "other", create: true, in: "w")
        #expect(try await stage.git.checkout(branch: word, create: false, in: "w").branch == "main")
    }

    @Test func filtersRunForWhatIsStaged() async throws {
        let stage = try GitStage()
        stage.sandbox.sh(
            "git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'; echo '*.up filter=up' > .gitattributes; echo abc > f.up"
        )
        try await stage.git.stage(paths("f.up"), in: "w")
        #expect(stage.sandbox.sh("git show :f.up") == "ABC\n")
        stage.sandbox.sh("echo x > f.up")
        _ = try await stage.git.discard(paths("f.up"), in: "w")
        #expect(stage.sandbox.read("f.up") == "abc\n")
    }

    @Test func pushesNewBranchesAndForces() async throws {
        let stage = try GitStage.withRemote()
        stage.sandbox.sh(
            "git switch -qc feature/new; git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2")
        #expect(await stage.problem { _ = try await stage.git.push(GitPushOrder(), in: "w") }?.kind == .noUpstream)
        let pushed = try await stage.git.push(GitPushOrder(setsUpstream: true), in: "w")
        #expect(pushed.target == "origin/feature/new" && pushed.commits == 2)
        #expect(try await stage.git.status(in: "w").status.upstream == "origin/feature/new")
        stage.sandbox.sh("git commit -q --amend --allow-empty -m 3")
        let order = GitPushOrder(remote: "origin", branch: "feature/new")
        #expect(await stage.problem { _ = try await stage.git.push(order, in: "w") }?.kind == .rejected)
        var forced = order
        forced.isForced = true
        #expect(try await stage.git.push(forced, in: "w").commits == 1)
        // Somebody pushed meanwhile, which was never seen here.
        stage.sandbox.sh(
            "git clone -q -b feature/new ../remote ../x; cd ../x; git commit -q --allow-empty -m other; git push -q")
        stage.sandbox.sh("git commit -q --amend --allow-empty -m 4")
        #expect(await stage.problem { _ = try await stage.git.push(forced, in: "w") }?.kind == .rejected)
        #expect(
            await stage.problem { _ = try await stage.git.push(GitPushOrder(branch: "none"), in: "w") }?.kind
                == .unknownName)
    }

    @Test func pulls() async throws {
        let stage = try GitStage.withRemote()
        #expect(try await stage.git.pull(rebase: nil, in: "w").isUpToDate)
        stage.others(["b": "b"])
        let pulled = try await stage.git.pull(rebase: false, in: "w")
        #expect(pulled.source == "origin/main" && !pulled.isUpToDate && stage.sandbox.read("b") == "b")
        stage.others(["c": "c"])
        stage.sandbox.sh("git commit -q --allow-empty -m mine")
        #expect(await stage.problem { _ = try await stage.git.pull(rebase: nil, in: "w") }?.kind == .diverged)
        _ = try await stage.git.pull(rebase: true, in: "w")
        #expect(stage.sandbox.sh("git log --format=%s -1") == "mine\n")
        stage.others(["a.txt": "theirs"])
        stage.sandbox.sh("echo mine > a.txt")
        #expect(await stage.problem { _ = try await stage.git.pull(rebase: false, in: "w") }?.kind == .overwrites)
    }

    @Test(arguments: [true, false]) func aPullWithConflictsNamesThem(rebase: Bool) async throws {
        let stage = try GitStage.withRemote()
        stage.others(["a.txt": "theirs", "b": "theirs"])
        stage.sandbox.sh("echo mine > a.txt; echo mine > b; git add -A; git commit -qm mine")
        let problem = await stage.problem { _ = try await stage.git.pull(rebase: rebase, in: "w") }
        #expect(problem?.kind == .conflict && problem?.conflicted == paths("a.txt", "b"))
        #expect(problem?.message == (rebase ? "Rebase conflict" : "Merge conflict"))
        #expect(try await stage.git.abort(in: "w") == (rebase ? .rebase : .merge))
        #expect(stage.sandbox.read("b") == "mine\n")
    }

    @Test func checksBranchesOut() async throws {
        let stage = try GitStage.withRemote()
        #expect(try await stage.git.checkout(branch: "feature/new", create: true, in: "w").isNew)
        #expect(
            await stage.problem { _ = try await stage.git.checkout(branch: "main", create: true, in: "w") }?.kind
                == .branchExists)
        stage.sandbox.sh("echo 2 > a.txt; git commit -qam 2; git push -q origin feature/new:theirs; git fetch -q")
        _ = try await stage.git.checkout(branch: "main", create: false, in: "w")
        let theirs = try await stage.git.checkout(branch: "origin/theirs", create: false, in: "w")
        #expect(theirs.branch == "theirs" && theirs.isNew)
        #expect(try await stage.git.status(in: "w").status.upstream == "origin/theirs")
        _ = try await stage.git.checkout(branch: "origin/main", create: false, in: "w")
        #expect(try await stage.git.status(in: "w").status.branch == "main")
        stage.sandbox.sh("echo 3 > a.txt")
        let refused = await stage.problem {
            _ = try await stage.git.checkout(branch: "feature/new", create: false, in: "w")
        }
        #expect(refused?.message.hasPrefix("Cannot switch branches: You have unstaged changes") == true)
        #expect(
            await stage.problem { _ = try await stage.git.checkout(branch: "none", create: false, in: "w") }?.kind
                == .unknownName)
        for name in ["a b", "..", "a..b", "x.lock"] {
            #expect(
                await stage.problem { _ = try await stage.git.checkout(branch: name, create: true, in: "w") }?.kind
                    == .unknownName)
        }
        #expect(
            await stage.problem { _ = try await stage.git.deleteBranch("feature/new", force: false, in: "w") }?.kind
                == .notMerged)
        _ = try await stage.git.deleteBranch("feature/new", force: true, in: "w")
        #expect(await stage.problem { _ = try await stage.git.deleteBranch("main", force: true, in: "w") } != nil)
        #expect(
            await stage.problem { _ = try await stage.git.deleteBranch("none", force: true, in: "w") }?.kind
                == .unknownName)
    }

    @Test func putsChangesAside() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        let push = GitStashOrder.push(message: "-f", untracked: true)
        stage.sandbox.sh("echo 2 > a; echo n > new")
        _ = try await stage.git.stash(push, in: "w")
        #expect(stage.sandbox.sh("git status --porcelain") == "")
        #expect(
            await stage.problem { _ = try await stage.git.stash(.push(message: nil, untracked: false), in: "w") }?.kind
                == .nothingToDo)
        let list = try await stage.git.stashes(in: "w")
        #expect(list.map(\.message) == ["On main: -f"] && list.map(\.index) == [0])
        _ = try await stage.git.stash(.apply(.init(index: 0, id: list[0].id)), in: "w")
        #expect(stage.sandbox.read("new") == "n\n" && stage.sandbox.read("a") == "2\n")
        stage.sandbox.sh("rm new; echo 3 > a; git commit -qam 3")
        let conflict = await stage.problem { _ = try await stage.git.stash(.pop(.init(index: 0)), in: "w") }
        #expect(conflict?.kind == .conflict && conflict?.conflicted == paths("a"))
        stage.sandbox.sh("git reset -q --hard; rm -f new")
        #expect(
            await stage.problem { _ = try await stage.git.stash(.drop(.init(index: 0, id: "other")), in: "w") }?.kind
                == .unknownName)
        #expect(
            await stage.problem { _ = try await stage.git.stash(.drop(.init(index: 1)), in: "w") }?.kind == .unknownName
        )
        _ = try await stage.git.stash(.drop(.init(index: 0, id: list[0].id)), in: "w")
        #expect(try await stage.git.stashes(in: "w").isEmpty)
    }

    @Test func fetchesAndInitializes() async throws {
        let stage = try GitStage.withRemote()
        stage.others(["b": "b"])
        #expect(
            try await stage.git.fetch(GitFetchOrder(remote: "origin", prunes: true), in: "w").message
                == "Fetched from origin")
        #expect(try await stage.git.branches(in: "w").behind == 1)
        stage.sandbox.sh("rm -rf ../remote")
        #expect(await stage.problem { _ = try await stage.git.fetch(GitFetchOrder(), in: "w") }?.kind == .noRemote)
        let bare = try GitStage(isRepository: false)
        _ = try await bare.git.initialize(branch: "trunk", in: "w")
        #expect(try await bare.git.status(in: "w").status.branch == "trunk")
        #expect(await bare.problem { _ = try await bare.git.initialize(branch: nil, in: "w") }?.kind == .nothingToDo)
        #expect(await bare.problem { _ = try await bare.git.push(GitPushOrder(), in: "w") }?.kind == .noRemote)
    }

    /// Twenty calls at once would meet each other's lock.
    @Test func oneWritesAtATime() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        stage.sandbox.sh(
            "git worktree add -q -b side ../tree; for n in $(seq 20); do echo $n > f$n; echo $n > ../tree/f$n; done")
        let git = GitManager.over(
            stage, ["w": stage.sandbox.root, "again": stage.sandbox.root, "t": stage.sandbox.path("tree")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask { try await git.stage(paths("f\(number)"), in: number % 2 == 0 ? "w" : "again") }
                group.addTask { try await git.stage(paths("f\(number)"), in: "t") }
            }
            try await group.waitForAll()
        }
        #expect(try await git.status(in: "w").status.staged.count == 20)
        #expect(try await git.status(in: "t").status.staged.count == 20)
    }
}
