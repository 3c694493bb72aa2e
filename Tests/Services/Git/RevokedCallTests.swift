import Core
import Platform
import Services
import TestSupport
import Testing

/// What a device asked for is not done once its revocation is confirmed, however long it waited.
@Suite(.timeLimit(.minutes(2))) struct RevokedCallTests {
    @Test func whatWaitsBehindAnotherCallIsNotDone() async throws {
        let stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
        stage.sandbox.sh(
            """
            printf '#!/bin/sh\\ntouch ../began; while [ ! -e ../go ]; do sleep 0.02; done\\n' > .git/hooks/pre-commit
            chmod +x .git/hooks/pre-commit; echo 2 > a; git add a; echo 3 > a
            """)
        // It is revoked at the moment from which the commit goes on.
        let permit = CallPermit { [sandbox = stage.sandbox] in !sandbox.exists(sandbox.path("go")) }
        async let commit = stage.git.commit(GitCommitOrder(message: "m", isPushed: false), in: "w")
        while stage.sandbox.sh("ls ..").contains("began") == false { try await letOthersRun() }
        async let discard = CallPermit.$current.withValue(permit) {
            await stage.failure { _ = try await stage.git.discard(paths("a"), in: "w") }
        }
        for _ in 0..<1000 { try await letOthersRun() }
        stage.sandbox.sh("touch ../go")
        #expect(try await commit.files == 1)
        #expect(await discard == .revoked)
        #expect(stage.sandbox.sh("cat a") == "3\n")
    }

    /// The hooks of a commit may take minutes.
    @Test func aCommitIsNotPushed() async throws {
        let stage = try GitStage.withRemote()
        stage.sandbox.sh("echo 2 > b; git add b")
        let asked = Locked(0)
        let permit = CallPermit {
            asked.withLock { asked in
                asked += 1
                // For the turns in the workspace and in the repository.
                return asked <= 2
            }
        }
        let done = try await CallPermit.$current.withValue(permit) {
            try await stage.git.commit(GitCommitOrder(message: "m", isPushed: true), in: "w")
        }
        guard case .failure(.revoked)? = done.push else {
            Issue.record("it was pushed")
            return
        }
        #expect(stage.sandbox.sh("git rev-parse main") != stage.sandbox.sh("git -C ../remote rev-parse main"))
    }
}
