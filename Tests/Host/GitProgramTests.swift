import Core
import Host
import TestSupport
import Testing

/// With programs that are named `git` in place of git.
@Suite(.timeLimit(.minutes(1))) struct GitProgramTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func program(_ script: String, _ more: [String: String] = [:]) throws -> GitProgram {
        // Another process writes it: a child of another test could inherit our descriptor, and the system runs no file
        // that somebody writes.
        try home.write("#!/bin/sh\n\(script)\n", to: "script")
        _ = shell("cp '\(home("script"))' '\(home("git"))'; chmod +x '\(home("git"))'")
        return GitProgram(
            environment: more.merging(["PATH": "relative:\(home.path):/usr/bin:/bin"]) { first, _ in first })
    }

    private func invocation(_ kind: GitInvocation.Kind, seconds: Double = 20, mostOutput: Int = 1 << 20)
        -> GitInvocation
    {
        var invocation = GitInvocation(kind, in: home.path, ["a", "-b c"])
        invocation.seconds = seconds
        invocation.mostOutput = mostOutput
        return invocation
    }

    @Test func givesWordsInputAndStatus() async throws {
        let git = try program(#"printf '%s|' "$0" "$@"; pwd; cat; echo oh >&2; exit 3"#)
        var call = invocation(.reading)
        call.input = [UInt8](repeating: 120, count: 300_000)
        let output = try await git.run(call)
        #expect(output.status == 3 && output.errors == Array("oh\n".utf8) && !output.isCut)
        #expect(output.output.count == 300_000 + "\(home("git"))|a|-b c|\(home.path)\n".utf8.count)
    }

    /// A repository may have git read endless files.
    @Test func aReadingHasOnlySoMuchMemory() async throws {
        let git = try program("read -r line; ulimit -d")
        for (kind, kilobytes) in [(GitInvocation.Kind.reading, "1048576"), (.writing, "unlimited")] {
            var call = invocation(kind)
            call.input = Array("go\n".utf8)
            #expect(try await git.run(call).text == kilobytes)
        }
    }

    @Test func theEnvironmentIsItsOwn() async throws {
        let daemon = [
            "HOME": "/h", "SECRET": "x", "GIT_DIR": "/d", "GIT_EXTERNAL_DIFF": "x", "SSH_AUTH_SOCK": "s",
            "LD_PRELOAD": "x",
        ]
        let git = try program("env | sort", daemon)
        var call = invocation(.reading)
        call.settings = [.init("core.fsmonitor", ""), .init("filter.a=b.clean", "")]
        let lines = try await git.run(call).text.split(separator: "\n").map(String.init)
        for line in [
            "GIT_ALLOW_PROTOCOL=none", "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_1=filter.a=b.clean", "GIT_CONFIG_VALUE_1=",
            "GIT_LITERAL_PATHSPECS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
            "HOME=/h",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        let names = ["SECRET", "GIT_DIR", "GIT_EXTERNAL_DIFF", "SSH_AUTH_SOCK", "LD_PRELOAD"]
        #expect(!lines.contains { line in names.contains { line.hasPrefix("\($0)=") } })
        let writing = try await git.run(invocation(.writing)).text.split(separator: "\n").map(String.init)
        #expect(writing.contains("SSH_AUTH_SOCK=s") && !writing.contains { $0.hasPrefix("GIT_OPTIONAL_LOCKS") })
        #expect(!writing.contains { $0.hasPrefix("SECRET") || $0.hasPrefix("GIT_DIR") })
    }

    @Test func aReadingThatWritesTooMuchIsEnded() async throws {
        let git = try program("yes")
        let output = try await git.run(invocation(.reading, mostOutput: 100_000))
        #expect(output.isCut && output.output.count == 100_000)
    }

    @Test func whatWritesComesToItsEnd() async throws {
        let git = try program("head -c 5000000 /dev/zero; touch '\(home("done"))'; exit 4")
        let output = try await git.run(invocation(.writing, mostOutput: 100_000))
        #expect(output.isCut && output.output.count == 100_000 && output.status == 4)
        #expect(home.read("done") != nil)
    }

    @Test(arguments: GitInvocation.Kind.allCases) func theDeadlineEndsTheWholeGroup(kind: GitInvocation.Kind)
        async throws
    {
        let git = try program("sleep 1000 & echo $! > '\(home("child"))'; wait")
        await #expect(throws: GitRunFailure.late(seconds: 0)) {
            _ = try await git.run(invocation(kind, seconds: 0.3))
        }
        let child = try #require(home.read("child")?.dropLast())
        // Orphans are reaped by another process, which may take a moment.
        #expect(
            shell(
                "for n in $(seq 200); do grep -q '^State:.[^Z]' /proc/\(child)/status 2>/dev/null || break; done; grep State /proc/\(child)/status 2>/dev/null | grep -v Z"
            ) == "")
    }

    @Test func aClientThatLeavesEndsAReading() async throws {
        let git = try program("echo > '\(home("up"))'; sleep 1000")
        _ = shell("mkfifo '\(home("up"))'")
        let call = invocation(.reading)
        let task = Task { try await git.run(call) }
        // Git runs once it has opened the pipe.
        _ = await shellAside("cat '\(home("up"))'")
        task.cancel()
        await #expect(throws: GitRunFailure.cancelled) { _ = try await task.value }
    }

    @Test func aClientThatLeavesDoesNotEndAWriting() async throws {
        let git = try program("echo > '\(home("up"))'; cat '\(home("down"))' > /dev/null; echo done")
        _ = shell("mkfifo '\(home("up"))' '\(home("down"))'")
        let call = invocation(.writing)
        let task = Task { try await git.run(call) }
        _ = await shellAside("cat '\(home("up"))'")
        task.cancel()
        _ = await shellAside("echo > '\(home("down"))'")
        #expect(try await task.value.text == "done")
    }

    @Test func aProcessLeftBehindHoldsNobodyUp() async throws {
        let git = try program("sleep 1000 & echo $! > '\(home("child"))'; echo done")
        #expect(try await git.run(invocation(.writing)).text == "done")
        _ = shell("kill $(cat '\(home("child"))')")
    }

    /// Git may wait for a disk, or for a pipe that the settings name as a file.
    @Test func aSlowRepositoryKeepsNobodyElseWaiting() async throws {
        let git = try program(
            #"case "$PWD" in */slow) echo >> "$HOME/up"; exec sleep 1000;; esac; echo quick"#, ["HOME": home.path])
        _ = shell("mkdir '\(home("slow"))' '\(home("good"))'; mkfifo '\(home("up"))'")
        let slow = home("slow")
        let readings = (0..<12).map { _ in
            Task {
                var call = GitInvocation(.reading, in: slow, [])
                // Its deadline is no way out for the others.
                call.seconds = 600
                return try await git.run(call)
            }
        }
        // Two of them run.
        _ = await shellAside("head -n 2 '\(home("up"))'")
        #expect(try await git.run(GitInvocation(.reading, in: home("good"), [])).text == "quick")
        for reading in readings { reading.cancel() }
        for reading in readings { _ = await reading.result }
    }

    @Test func whatIsMissingIsSaid() async throws {
        let none = GitProgram(environment: ["PATH": home.path])
        await #expect(throws: GitRunFailure.notInstalled) { _ = try await none.run(invocation(.reading)) }
        let git = try program("true")
        await #expect(throws: GitRunFailure.self) { _ = try await git.run(GitInvocation(.reading, in: "/none", [])) }
    }
}
