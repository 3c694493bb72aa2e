import Foundation
import Testing

/// The relay takes the session's facts from its environment, and the socket only where no option names it.
@Suite(.timeLimit(.minutes(1)))
struct EnvironmentTests {
    static let answer = RestartTests.answer

    private func head(_ environment: [String: String]) async throws -> Request {
        let daemon = try ScriptedDaemon([Self.answer])
        let outcome = await runRelay(["--socket", daemon.path], environment: environment)
        #expect(outcome.output == AnswerTests.allow)
        return try #require(await daemon.received.first)
    }

    @Test func theSessionsFactsAreHeaders() async throws {
        let request = try await head([
            "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "sdk-py", "CLAUDE_PID": "4711",
            "CLAUDE_PROJECT_DIR": "/home/a b/\u{E9}%2f", "SHELL": "/bin/bash", "ANTHROPIC_API_KEY": "sk-secret",
        ])
        #expect(request.values("Cdev-Attended") == ["1"])
        #expect(request.values("Cdev-Entrypoint") == ["sdk-py"])
        #expect(request.values("Cdev-Claude-Pid") == ["4711"])
        #expect(request.values("Cdev-Project") == ["/home/a%20b/%c3%a9%252f"])
        #expect(request.values("Cdev-Shell") == ["/bin/bash"])
        #expect(!request.head.contains("sk-secret"))
    }

    @Test func whatIsUnsetIsLeftOut() async throws {
        let request = try await head(["SHELL": ""])
        #expect(
            !request.head.contains("Cdev-A") && !request.head.contains("Cdev-E") && !request.head.contains("Cdev-C"))
        #expect(
            !request.head.contains("Cdev-P") && !request.head.contains("Cdev-G") && !request.head.contains("Cdev-S"))
    }

    @Test(arguments: ["\r\nCdev-Attended: 1", "\nCdev-Attended: 1", "\r\n\r\n{}", "a\u{7F}\u{1}\tb ", "\u{85}\u{2028}"])
    func aValueCannotEndItsLine(_ text: String) async throws {
        let names = [
            "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID", "CLAUDE_PROJECT_DIR", "SHELL",
        ]
        let request = try await head(Dictionary(uniqueKeysWithValues: names.map { ($0, text) }))
        #expect(request.head.split(separator: "\r\n").count == 11)
        #expect(request.head.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 13 || $0 == 10 })
        #expect(request.values("Cdev-Project").first?.removingPercentEncoding == text)
        #expect(request.body == Array(preToolUse.utf8))
    }

    @Test func aValueLongerThanAnyRealOneIsLeftOut() async throws {
        let long = String(repeating: "\u{E9}", count: 50_000)
        let request = try await head([
            "CLAUDE_PROJECT_DIR": long, "SHELL": long, "CLAUDE_PID": long, "CLAUDE_CODE_ENTRYPOINT": "cli",
        ])
        #expect(request.values("Cdev-Entrypoint") == ["cli"])
        #expect(request.head.utf8.count < 400)
    }

    @Test func withASocketGivenNoVariableNamesAnother() async throws {
        let hostile = try ScriptedDaemon([], others: Self.answer)
        defer { hostile.stop() }
        let environment = [
            "CDEV_SOCKET": hostile.path, "CDEV_HOME": hostile.directory.path, "HOME": hostile.directory.path,
            "CDEV_ON_FAILURE": "continue",
        ]
        let missing = ["--socket", hostile.directory.path + "/none.sock"]
        expectNoOpinion(await runRelay(missing, environment: environment))
        try expectRefusal(await runRelay(missing + ["--on-failure", "block"], environment: environment))
    }

    @Test func withoutOneTheEnvironmentNamesIt() async throws {
        let daemon = try ScriptedDaemon([Self.answer, Self.answer, Self.answer])
        let home = try Directory()
        symlink(daemon.path, home.path + "/cdev.sock")
        mkdir(home.path + "/.cdev", 0o700)
        symlink(daemon.path, home.path + "/.cdev/cdev.sock")
        let none = home.path + "/none"
        for environment in [
            ["CDEV_SOCKET": daemon.path, "CDEV_HOME": none, "HOME": none],
            ["CDEV_SOCKET": "", "CDEV_HOME": home.path, "HOME": none],
            ["HOME": home.path],
        ] {
            #expect(await runRelay([], environment: environment).output == AnswerTests.allow)
        }
        let outcome = await runRelay([])
        expectNoOpinion(outcome)
        #expect(outcome.errors.contains("CDEV_SOCKET"))
    }
}
