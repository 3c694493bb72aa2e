import Host
import OrderedJSON
import Rules
import TestSupport
import Testing

/// The texts of the tool `PowerShell` are in another language, so that a deny covers whatever may be meant:
/// `Cases/denied-powershell.json`.
@Suite("Deny rules and PowerShell")
struct DenyPowerShellTests {
    private func denies(_ denied: String, _ line: String, asked: String = "Bash") throws -> Bool {
        let context = try #require(ScratchRepository.shared).context()
        let rules = RuleEngine.denyPatterns(
            tool: asked, input: ["command": .string(denied)], context: context, paths: DiskPaths())
        #expect(!rules.isEmpty, "\(denied)")
        return RuleEngine.denies(
            tool: "PowerShell", input: ["command": .string(line)], deny: rules, context: context, paths: DiskPaths())
            != nil
    }

    @Test("found in texts of PowerShell", arguments: try! DeniedLines.decoded("denied-powershell") as [DeniedLines])
    func data(_ lines: DeniedLines) throws {
        for line in lines.also { #expect(try denies(lines.denied, line), "\(line)") }
        for line in lines.not { #expect(try !denies(lines.denied, line), "\(line)") }
    }

    @Test func aDenyOfPowerShellHoldsInTheOthers() throws {
        let context = try #require(ScratchRepository.shared).context()
        let rules = RuleEngine.denyPatterns(
            tool: "PowerShell", input: ["command": "git push"], context: context, paths: DiskPaths())
        #expect(try denies("git push", "git push", asked: "PowerShell"))
        #expect(try denies("Git push", "GIT.exe push origin", asked: "PowerShell"))
        #expect(try denies("& git.exe push", "git push", asked: "PowerShell"))
        #expect(
            RuleEngine.denies(
                tool: "Bash", input: ["command": "git push"], deny: rules, context: context, paths: DiskPaths()) != nil)
        #expect(
            RuleEngine.patterns(
                tool: "PowerShell", input: ["command": "ls"], context: context, paths: DiskPaths()
            ).isEmpty)
    }

    @Test("read in bounded time")
    func bounded() throws {
        for piece in [
            "(", "{", "$(", "\"$(", "@(", "'", "\"", "`", "<#", "git (", "@'\n", "iex 'x ", "git $x;", "> ", "a b,",
        ] {
            let text = String(repeating: piece, count: 200_000 / piece.utf8.count)
            let seconds = try ProcessorTime.of { _ = try denies("git push", text) }
            #expect(seconds < 4, "\(piece): \(seconds)")
        }
    }
}
