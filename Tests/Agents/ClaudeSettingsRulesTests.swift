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
