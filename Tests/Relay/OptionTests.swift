import Testing

/// The command line. Wrong usage ends with exit status 1 and an empty stdout, which is no decision for Claude Code.
@Suite(.timeLimit(.minutes(1)))
struct OptionTests {
    @Test(arguments: [
        ["--sockets"], ["x"], ["--socket"], ["--socket", ""], ["--on-failure"], ["--on-failure", "deny"],
        ["--search-ms", "x"], ["--search-ms", ""], ["--search-ms", "1x"], ["--total-ms", "-1"],
        ["--observe", "--bogus"],
    ])
    func wrongUsage(_ arguments: [String]) async throws {
        let outcome = await runRelay(arguments)
        #expect(outcome.output == "")
        #expect(outcome.status == 1)
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func wrongUsageBlocksWhereBlockingWasAskedFor() async throws {
        let options = ["--on-failure", "block", "--bogus"]
        try expectRefusal(await runRelay(options), status: 1)
        #expect(await runRelay(options, input: permissionRequest).output == "{}")
        #expect(await runRelay(options + ["--observe"]).output == "")
    }

    @Test func helpAndVersion() async throws {
        let help = await runRelay(["--help"])
        #expect(help.status == 0)
        for word in [
            "--socket", "--on-failure", "--observe", "--first-byte-ms", "--search-ms", "--grace-ms", "--total-ms",
        ] {
            #expect(help.output.contains(word))
        }
        // The daemon's longest deadline and the grace pass first, then the relay gives up, then Claude Code.
        let total = help.output.firstMatch(of: #/--total-ms \((\d+)\)/#).flatMap { Int($0.1) } ?? 0
        #expect(total > 86_100_000 + 30_000 && total < 86_400_000)
        let version = await runRelay(["--version"])
        #expect(version.status == 0)
        #expect(version.output.hasPrefix("cdev-hook "))
    }
}
