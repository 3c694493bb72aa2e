import Agents
import Foundation
import OrderedJSON
import TestSupport
import Testing

@Suite struct ClaudeSettingsRulesTests {
    static let cases: [(allow: [String], ask: [String], deny: [String], tool: String, line: String, expected: Bool)] = [
        (["Bash(npm test)"], [], [], "Bash", "npm test", true),
        (["Bash(npm test)"], [], [], "Bash", "npm test --all", false),
        (["Bash(npm test:*)"], [], [], "Bash", "npm test --all", true),
        (["Bash(npm test *)"], [], [], "Bash", "npm test --all", true),
        (["Bash(npm test:*)"], [], [], "Bash", "npm testing", false),
        (["Bash(npm test:*)"], [], [], "Bash", "npm test && touch x", false),
        (["Bash(npm test:*)"], [], [], "Bash", "npm test $(touch x)", false),
        (["Bash(npm * test)"], [], [], "Bash", "npm run test", false),
        (["Bash"], [], [], "Bash", "anything; at all", true),
        (["Bash"], ["Bash(touch:*)"], [], "Bash", "ls; touch x", false),
        (["Bash"], [], ["Bash(curl:*)"], "Bash", "ls", true),
        (["Bash"], [], ["Bash(* --force)"], "Bash", "ls", false),
        (["Bash(*)"], [], [], "Bash", "ls", true),
        (["Edit"], [], [], "Edit", "", true),
        (["Edit(src/**)"], [], [], "Edit", "", false),
        (["Edit"], [], ["Edit(secret/**)"], "Edit", "", false),
        (["mcp__lab"], [], [], "mcp__lab__echo", "", true),
        (["mcp__lab__*"], [], [], "mcp__lab__echo", "", true),
        (["mcp__lab"], [], [], "mcp__labs__echo", "", false),
        (["mcp__lab__echo"], [], [], "mcp__lab__echo", "", true),
        ([], [], [], "Bash", "ls", false),
    ]

    @Test(arguments: cases.indices)
    func covers(_ index: Int) throws {
        let row = Self.cases[index]
        let root = try Scratch()
        try root.write(
            ".claude/settings.json", permissions: ["allow": row.allow, "ask": row.ask, "deny": row.deny])
        let rules = ClaudeSettingsRules(userSettings: root.path + "/none.json") { _ in true }
        let input: JSON = ["command": .string(row.line)]
        #expect(rules.allows(tool: row.tool, input: input, root: root.path) == row.expected, "row \(index)")
    }

    @Test func threeFilesCountTogetherAndAChangeIsSeen() throws {
        let root = try Scratch()
        let rules = ClaudeSettingsRules(userSettings: root.path + "/user.json") { _ in true }
        func allows() -> Bool { rules.allows(tool: "Bash", input: ["command": "make"], root: root.path) }
        #expect(!allows())
        try root.write("user.json", permissions: ["allow": ["Bash(make)"]])
        #expect(allows())
        try root.write(".claude/settings.local.json", permissions: ["deny": ["Bash(make)"]])
        #expect(!allows())
        try root.write(".claude/settings.local.json", text: "{ broken")
        #expect(allows(), "a file Claude cannot read either has no rules")
        try root.write("user.json", text: "[]")
        #expect(!allows())
    }

    @Test func aRuleCountsByteByByte() throws {
        let root = try Scratch()
        try root.write(".claude/settings.json", permissions: ["allow": ["Bash(caf\u{E9}:*)", "Bash(\u{E9})"]])
        let rules = ClaudeSettingsRules(userSettings: root.path + "/none.json") { _ in true }
        func allows(_ line: String) -> Bool {
            rules.allows(tool: "Bash", input: ["command": .string(line)], root: root.path)
        }
        #expect(allows("caf\u{E9} x") && allows("\u{E9}"))
        #expect(!allows("cafe\u{301} x") && !allows("e\u{301}") && !allows("caf\u{E9}\u{301} x"))
    }

    /// Looked through once for each rule, a thousand times as many bytes take a thousand times as long.
    @Test func aLongLineIsLookedThroughOnce() throws {
        let root = try Scratch()
        try root.write(".claude/settings.json", permissions: ["allow": (0..<2000).map { "Bash(rm x\($0):*)" }])
        let rules = ClaudeSettingsRules(userSettings: root.path + "/none.json") { _ in true }
        func seconds(bytes: Int) -> Double {
            let input: JSON = ["command": .string("rm " + String(repeating: "a", count: bytes))]
            return ProcessorTime.of {
                for _ in 0..<5 { #expect(!rules.allows(tool: "Bash", input: input, root: root.path)) }
            }
        }
        _ = seconds(bytes: 8)
        let few = seconds(bytes: 8)
        #expect(seconds(bytes: 8000) < 20 * few)
    }

    @Test(
        "more than the loop has time for is compared on another thread",
        arguments: [
            (1000, 0, 8, true), (1001, 0, 8, false), (1, 30, 8000, true), (1, 40, 8000, false),
        ])
    func promptly(allowing: Int, denying: Int, bytes: Int, isPrompt: Bool) throws {
        let root = try Scratch()
        try root.write(
            ".claude/settings.json",
            permissions: [
                "allow": (0..<allowing).map { "Bash(rm x\($0):*)" }, "deny": (0..<denying).map { "Bash(y\($0):*)" },
            ])
        let rules = ClaudeSettingsRules(userSettings: root.path + "/none.json") { _ in true }
        let input: JSON = ["command": .string(String(repeating: "a", count: bytes))]
        #expect(!rules.allows(tool: "Bash", input: input, root: root.path))
        #expect((rules.allowsPromptly(tool: "Bash", input: input, root: root.path) != nil) == isPrompt)
    }
}

/// A private directory that goes with the test.
final class Scratch {
    let path: String

    init() throws {
        let template = NSTemporaryDirectory() + "cdev-host-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
        path = URL(fileURLWithPath: template).resolvingSymlinksInPath().path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, text: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    func write(_ name: String, permissions: [String: [String]]) throws {
        let lists = permissions.reduce(into: JSONObject()) { $0[$1.key] = .array($1.value.map { .string($0) }) }
        try write(name, text: JSON.object(["permissions": .object(lists)]).serialized())
    }
}
