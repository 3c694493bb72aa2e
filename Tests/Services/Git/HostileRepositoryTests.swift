import Core
import Services
import TestSupport
import Testing

/// Repositories whose settings, attributes, hooks and submodules name programs. Reading runs none of them.
@Suite(.timeLimit(.minutes(2))) struct HostileRepositoryTests {
    /// A repository in which every program that git knows of leaves a mark.
    private func trap() throws -> GitStage {
        let stage = try GitStage()
        let mark = stage.sandbox.path("mark")
        try stage.sandbox.commit(["a.txt": "one\n", "b.txt": "two\n"])
        stage.sandbox.sh(
            """
            m() { git config "$1" "touch \(mark).$2; cat"; }
            for d in evil 'ev=il' 'e.v.i.l' 'e v'; do
              m "filter.$d.clean" clean; m "filter.$d.smudge" smudge; m "filter.$d.process" process
              git config "filter.$d.required" true
              m "diff.$d.textconv" textconv; m "diff.$d.command" command
            done
            printf '*.txt filter=evil diff=evil\\nb.txt filter=ev=il\\nc.txt filter=e.v.i.l\\n' > .gitattributes
            printf '[filter "included"]\\n\\tclean = touch \(mark).included; cat\\n\\trequired = true\\n' > .git/more
            git config include.path more
            printf 'd.txt filter=included\\n' > .git/info/attributes
            m diff.external external; m core.fsmonitor fsmonitor; m core.pager pager; m core.editor editor
            m pager.status pager2; m alias.status alias; git config alias.diff '!touch \(mark).alias2'
            m core.sshCommand ssh; m credential.helper credential; m gpg.program gpg; m sequence.editor editor2
            m core.askPass askpass; m interactive.diffFilter filter
            git config log.showSignature true; git config diff.submodule log; git config status.submoduleSummary true
            git config submodule.recurse true; git config diff.orderFile ../order
            printf '#!/bin/sh\\ntouch \(mark).gpg\\n' > ../gpg; chmod +x ../gpg; git config gpg.program \(stage.sandbox.path("gpg"))
            for h in post-index-change reference-transaction pre-commit post-checkout fsmonitor-watchman; do
              printf '#!/bin/sh\\ntouch \(mark).hook\\n' > .git/hooks/$h; chmod +x .git/hooks/$h
            done
            git cat-file commit HEAD | sed '4a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n abc\\n -----END PGP SIGNATURE-----' > ../signed
            id=$(git -c core.fsmonitor= hash-object -t commit -w ../signed); echo $id > .git/refs/heads/main
            echo more >> a.txt; touch -d 2001-01-01 b.txt; echo c > c.txt; echo d > d.txt
            rm -f \(mark).*
            """)
        return stage
    }

    private func marks(_ stage: GitStage) -> String { stage.sandbox.sh("ls \(stage.sandbox.path("")) | grep mark") }

    private func readEverything(_ stage: GitStage) async throws {
        _ = try await stage.git.status(in: "w")
        for path in [nil, "a.txt", "b.txt", "c.txt", "d.txt"] {
            _ = try await stage.diff(path)
            _ = try await stage.diff(path, staged: true)
        }
        _ = try await stage.git.branches(in: "w")
        let page = try await stage.git.log(GitLogQuery(limit: 10), in: "w")
        for commit in page.commits {
            _ = try await stage.git.show(
                GitShowQuery(revision: commit.id, showsSensitive: true, limit: 1 << 20), in: "w")
        }
        _ = try await stage.git.stashes(in: "w")
        for path in ["", "sub"] where stage.sandbox.exists("\(stage.sandbox.root)/\(path)") {
            #expect(try await stage.files().listing(path).git != nil)
        }
    }

    @Test func readingRunsNothing() async throws {
        let stage = try trap()
        // The trap works: git at the terminal runs what is there.
        stage.sandbox.sh("git status; git diff; git log")
        #expect(marks(stage) != "")
        stage.sandbox.sh("rm -f \(stage.sandbox.path("mark"))*; touch -d 2002-02-02 a.txt b.txt")
        try await readEverything(stage)
        #expect(marks(stage) == "")
        #expect(try await stage.diff("a.txt").text.contains("+more\n"))
    }

    @Test func submodulesAreNotEntered() async throws {
        let stage = try GitStage()
        let mark = stage.sandbox.path("mark")
        stage.sandbox.sh(
            """
            git init -q ../module; cd ../module; echo 1 > a; git add a; git commit -qm m; cd - > /dev/null
            git submodule add -q ../module sub && git commit -qm sub
            cd sub; git config core.fsmonitor 'touch \(mark)'; git config filter.x.clean 'touch \(mark); cat'
            echo '* filter=x' > .gitattributes; git -c core.fsmonitor= commit -q --allow-empty -m n
            touch -d 2001-01-01 a; git status > /dev/null; ls \(mark) > ../../trap; touch -d 2002-02-02 a; rm -f \(mark)
            """)
        #expect(stage.sandbox.read("../trap") != "", "the trap would not have worked")
        try await readEverything(stage)
        #expect(marks(stage) == "")
    }

    /// Objects that are missing in a partial clone are fetched by git itself, through whatever the settings say.
    @Test func nothingIsFetched() async throws {
        let stage = try GitStage.withRemote()
        let mark = stage.sandbox.path("mark")
        stage.sandbox.sh(
            """
            git -C ../remote config uploadpack.allowFilter true
            git clone -q --no-checkout --filter=blob:none file://$(realpath ../remote) ../partial; cd ../partial
            git config remote.origin.url 'ext::sh -c touch% \(mark)'; git config protocol.allow always
            git config core.sshCommand 'touch \(mark)'; git config remote.origin.uploadpack 'touch \(mark);'
            """)
        let git = GitManager.over(stage, ["p": stage.sandbox.path("partial")])
        for remote in ["ext::sh -c touch% \(mark)", "ssh://h/x", "file:///x", "/x"] {
            stage.sandbox.sh("git -C ../partial config remote.origin.url '\(remote)'")
            _ = try? await git.status(in: "p")
            _ = try? await git.show(GitShowQuery(revision: "HEAD", showsSensitive: true, limit: 1 << 20), in: "p")
            let query = GitDiffQuery(path: nil, isStaged: true, showsSensitive: true, limit: 1 << 20)
            _ = try? await git.diff(query, in: "p")
            #expect(try await stage.files(at: "partial").listing().git != nil)
        }
        #expect(marks(stage) == "")
        stage.sandbox.sh("cd ../partial; git config remote.origin.url 'ext::sh -c touch% \(mark)'; git show HEAD")
        #expect(marks(stage) != "", "the trap would not have worked")
    }

    @Test func tooManyFiltersAreNotRead() async throws {
        let stage = try GitStage()
        stage.sandbox.sh(
            "for n in $(seq 1 300); do printf '[filter \"f%s\"]\\n\\tclean = cat\\n' $n; done >> .git/config")
        #expect(await stage.failure { _ = try await stage.git.status(in: "w") } == .tooManyFilters)
        stage.sandbox.sh("printf '[filter \"\\351\"]\\n\\tclean = cat\\n' > .git/config")
        #expect(await stage.failure { _ = try await stage.git.status(in: "w") } == .tooManyFilters)
    }

    /// A remote that is an address could be a program.
    @Test func onlyRemotesWithANameAreUsed() async throws {
        let stage = try GitStage.withRemote()
        let mark = stage.sandbox.path("mark")
        for remote in [
            "ext::sh -c touch% \(mark)", "--upload-pack=touch \(mark)", "--exec=touch \(mark)", "../other", "",
        ] {
            let pushed = await stage.failure { _ = try await stage.git.push(GitPushOrder(remote: remote), in: "w") }
            let fetched = await stage.failure { _ = try await stage.git.fetch(GitFetchOrder(remote: remote), in: "w") }
            for failure in [pushed, fetched] {
                guard case .invalid? = failure else {
                    Issue.record("\(remote) was taken")
                    continue
                }
            }
        }
        #expect(marks(stage) == "")
    }

    /// A work tree elsewhere would show and change files of the whole machine.
    @Test func aWorkTreeElsewhereShowsNothingOutside() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        stage.sandbox.sh("echo secret > ../outside; git config core.worktree ../..")
        let status = try? await stage.git.status(in: "w").status
        let all = (status?.untracked ?? []) + (status?.unstaged ?? [])
        #expect(!all.contains { $0.path.text.contains("outside") })
        #expect(GitPath(text: "../outside") == nil)
    }
}
