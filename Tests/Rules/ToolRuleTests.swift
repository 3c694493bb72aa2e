import Host
import OrderedJSON
import Rules
import Testing

@Suite("Hosts and whole tools")
struct ToolRuleTests {
    private func patterns(_ tool: String, _ input: JSON) throws -> [String] {
        let repository = try #require(ScratchRepository.shared)
        return RuleEngine.patterns(tool: tool, input: input, context: repository.context(), paths: DiskPaths())
            .map(\.stored)
    }

    @Test(
        "the host of an address, or no rule",
        arguments: [
            ("https://example.com", "example.com"), ("https://example.com/a?b#c", "example.com"),
            ("http://Example.COM/x", "example.com"), ("HTTPS://example.com:443/", "example.com"),
            ("http://example.com:80", "example.com"), ("https://a.b-c.example?x", "a.b-c.example"),
            ("https://example.com:8443/", nil), ("https://example.com:80/", nil), ("http://example.com:443/", nil),
            ("https://user@example.com/", nil), ("https://u:p@example.com/", nil), ("ftp://example.com/", nil),
            ("file:///etc/passwd", nil), ("//example.com", nil), ("example.com", nil), ("https://", nil),
            ("https:///x", nil), ("https://exa mple.com", nil), ("https://example.com\\@evil.example/", nil),
            ("https://example.com%2eevil.example/", nil), ("https://ex\u{E4}mple.com/", nil), ("https://[::1]/", nil),
            ("https://example.com\t/", nil), ("https://example.com\n.evil.example/", nil), ("https://-x.example/", nil),
            (" https://example.com/", nil), ("javascript:alert(1)", nil), ("https:/example.com/", nil),
        ] as [(String, String?)])
    func hosts(url: String, host: String?) throws {
        let found = try patterns("WebFetch", ["url": .string(url), "prompt": "x"])
        #expect(found == (host.map { ["WebFetch(domain:\($0))"] } ?? []))
    }

    @Test("a rule for one host settles no other")
    func otherHost() throws {
        let repository = try #require(ScratchRepository.shared)
        let rule = try #require(Pattern(stored: "WebFetch(domain:example.com)"))
        func settles(_ url: String) -> Bool {
            RuleEngine.settles(
                tool: "WebFetch", input: ["url": .string(url), "prompt": "x"], allow: [rule],
                context: repository.context(), paths: DiskPaths()) != nil
        }
        #expect(settles("https://example.com/other"))
        #expect(!settles("https://www.example.com/"))
        #expect(!settles("https://example.com.evil.example/"))
        #expect(!settles("https://evil.example/?example.com"))
        #expect(!settles("https://example.com:8080/"))
    }

    @Test("a member that is not understood is asked about")
    func members() throws {
        #expect(try patterns("WebFetch", ["url": "https://example.com", "method": "POST"]).isEmpty)
        #expect(try patterns("Bash", ["command": "ls", "dangerouslyDisableSandbox": true]).isEmpty)
        #expect(try patterns("Bash", ["command": 1]).isEmpty)
        #expect(try patterns("Bash", "ls").isEmpty)
        let known: JSON = ["command": "ls", "description": "x", "timeout": 5, "run_in_background": false]
        #expect(try patterns("Bash", known) == ["Bash(ls:*)"])
    }

    @Test(
        "whole tools",
        arguments: [
            ("Task", true), ("Agent", true), ("WebSearch", true), ("mcp__server__tool", true),
            ("mcp__my-server__do.it", true), ("mcp__server", false), ("mcp__server__", false), ("mcp____tool", false),
            ("mcp__a__b)", false), ("AskUserQuestion", false), ("ExitPlanMode", false), ("Unknown", false), ("", false),
            ("bash", false), ("KillShell", false), ("Skill", false),
        ])
    func wholeTools(tool: String, isOffered: Bool) throws {
        #expect(try patterns(tool, ["x": 1]) == (isOffered ? [tool] : []))
    }

    @Test("that tool only")
    func thatTool() throws {
        let repository = try #require(ScratchRepository.shared)
        let rule = try #require(Pattern(stored: "mcp__server__read"))
        for (tool, settles) in [
            ("mcp__server__read", true), ("mcp__server__read2", false), ("mcp__server__Read", false),
            ("mcp__other__read", false),
        ] {
            let settled = RuleEngine.settles(
                tool: tool, input: [:], allow: [rule], context: repository.context(), paths: DiskPaths())
            #expect((settled != nil) == settles)
        }
    }

    /// Claude Code renamed the tool, and reports a call under either name.
    @Test(
        "a deny for the tool that starts agents holds under both names",
        arguments: [
            ("Task", "Agent", true), ("Agent", "Task", true), ("Task", "Task", true), ("Task", "WebSearch", false),
            ("Agent", "TaskCreate", false), ("WebSearch", "Agent", false),
        ])
    func renamed(denied: String, tool: String, isDenied: Bool) throws {
        let repository = try #require(ScratchRepository.shared)
        let rules = RuleEngine.denyPatterns(
            tool: denied, input: ["prompt": "x"], context: repository.context(), paths: DiskPaths())
        let found = RuleEngine.denies(
            tool: tool, input: ["prompt": "y"], deny: rules, context: repository.context(), paths: DiskPaths())
        #expect(rules.count == 1 && (found != nil) == isDenied)
    }
}
