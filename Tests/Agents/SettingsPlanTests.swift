import Agents
import Foundation
import OrderedJSON
import Testing

let target = InstallTarget(scripts: "/home/u/.cdev/hooks", onFailure: .continue)

func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
}

func installing(_ text: String?, _ target: InstallTarget = target, notes: InstallNotes? = nil) throws -> SettingsPlan {
    try .installing(target, in: text.map { Array($0.utf8) }, notes: notes)
}

@Suite("What becomes of a settings file")
struct SettingsPlanTests {
    static let events = [
        "Notification", "PermissionDenied", "PermissionRequest", "PostToolBatch", "PostToolUse", "PostToolUseFailure",
        "PreToolUse", "SessionEnd", "SessionStart", "Stop", "StopFailure", "SubagentStop", "UserPromptSubmit",
    ]

    @Test("a file that is not there")
    func fromNothing() throws {
        let plan = try installing(nil)
        let after = try JSON(parsing: try #require(plan.after))
        #expect(after["hooks"]?.objectValue?.keys == Self.events)
        #expect(plan.changes.map(\.description) == Self.events.map { "\($0): hook added" })
        #expect(
            after["hooks"]?["PreToolUse"]?.serialized() == """
                [{"matcher":"*","_cdev_managed":true,"hooks":[{"type":"command",\
                "command":"exec '/home/u/.cdev/hooks/permission.sh' # cdev","timeout":86400,\
                "statusMessage":"cdev: waiting for a remote approver (Esc stops)"}]}]
                """)
        #expect(
            after["hooks"]?["Stop"]?.serialized() == """
                [{"_cdev_managed":true,"hooks":[{"type":"command",\
                "command":"exec '/home/u/.cdev/hooks/forward.sh' # cdev","timeout":10}]}]
                """)
        #expect(text(plan.after)?.hasPrefix("{\n  \"hooks\": {\n    \"Notification\": [\n      {\n") == true)
        #expect(text(plan.after)?.hasSuffix("\n  }\n}\n") == true)
    }

    @Test("a timeout of the settings lies above every deadline")
    func timeouts() {
        #expect(HookTimeout.settings > HookTimeout.largestDeadline)
        #expect(HookTimeout.settings == 86_400)
    }

    @Test("block is asked for at PreToolUse alone")
    func block() throws {
        let blocking = InstallTarget(scripts: "/s", onFailure: .block)
        let hooks = try JSON(parsing: try #require(try installing("{}", blocking).after))["hooks"]
        for event in Self.events {
            let entry = hooks?[event]?.arrayValue?.first?["hooks"]?.arrayValue?.first
            #expect(entry?["onFailure"] == (event == "PreToolUse" ? "block" : nil), "\(event)")
        }
        let first = try installing("{}")
        let second = try installing(text(first.after), blocking, notes: first.notes)
        #expect(second.changes.contains { $0.event == "PreToolUse" && $0.kind == .repaired })
    }

    @Test(
        "what is wrong is named with its place",
        arguments: [
            ("{", "not valid JSON: line 1, column 2"),
            ("{\"a\": 1,}", "not valid JSON: line 1, column 8: a comma may not follow"),
            ("{\n  // mine\n  \"a\": 1\n}", "not valid JSON: line 2, column 3: JSON has no comments"),
            ("{\"a\": 1} x", "not valid JSON: line 1, column 10"),
            ("[]", "line 1, column 1: the top level should be an object"),
            ("null", "line 1, column 1: the top level should be an object"),
            ("{\"hooks\": []}", "line 1, column 11: hooks should be an object"),
            ("{\"hooks\": null}", "line 1, column 11: hooks should be an object"),
            ("{\n\"é\": 1, \"hooks\": {\"Stop\": {}}}", "line 2, column 27: hooks.Stop should be a list"),
            ("{\"hooks\": {\"PreCompact\": 1}}", "line 1, column 26: hooks.PreCompact should be a list"),
            ("{\"hooks\": {\"Stop\": [{\"hooks\":[]}, 1]}}", "column 35: hooks.Stop[1] should be an object"),
            ("{\"hooks\": {\"Stop\": [{}]}}", "column 21: hooks.Stop[0] has no list of hooks"),
            ("{\"hooks\": {\"Stop\": [{\"hooks\": {}}]}}", "column 31: hooks.Stop[0].hooks should be a list"),
            ("{\"hooks\": {\"Stop\": [{\"hooks\": [1]}]}}", "column 32: hooks.Stop[0].hooks[0] should be an object"),
            (
                "{\"hooks\": {\"Stop\": [{\"hooks\": [], \"matcher\": {}}]}}",
                "the matcher of hooks.Stop[0] is not a string"
            ),
            (
                "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": []}]}]}}",
                "the command of hooks.Stop[0].hooks[0] is not"
            ),
        ])
    func refuses(settings: String, message: String) {
        let install = #expect(throws: SettingsError.self) { try installing(settings) }
        let uninstall = #expect(throws: SettingsError.self) {
            try SettingsPlan.uninstalling(from: Array(settings.utf8), notes: nil)
        }
        #expect(install?.description.contains(message) == true, "\(String(describing: install))")
        #expect(install == uninstall)
    }

    @Test("bytes that are not UTF-8 are refused")
    func notUTF8() {
        #expect(throws: SettingsError.self) {
            try SettingsPlan.installing(target, in: Array("{\"a\": \"".utf8) + [0xFF] + Array("\"}".utf8), notes: nil)
        }
    }

    @Test(
        "the layout of the file is followed",
        arguments: [
            (
                "{\r\n    \"a\": 1.0\r\n}\r\n",
                "{\r\n    \"a\": 1.0,\r\n    \"hooks\": {\r\n        \"Notification\": [\r\n            {\r\n"
            ),
            ("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Notification\": [\n\t\t\t{\n"),
            ("\u{FEFF}{\n  \"a\": 1\n}", "\u{FEFF}{\n  \"a\": 1,\n  \"hooks\": {\n    \"Notification\": [\n"),
            (
                "{\"a\":1}",
                "{\"a\":1,\"hooks\":{\"Notification\":[{\"_cdev_managed\":true,\"hooks\":[{\"type\":\"command\","
            ),
        ])
    func layout(before: String, beginning: String) throws {
        let after = try #require(text(try installing(before).after))
        #expect(after.utf8.starts(with: beginning.utf8))
        #expect(after.contains("\r") == before.contains("\r"))
        #expect(!after.replacing("\r\n", with: "").contains("\n") || !before.contains("\r"))
    }

    /// All of them with `CDEV_LONG_TESTS=1`. A twentieth under a sanitizer: it takes six times as long there, and what it
    /// looks for shows in a few.
    static func seeds(_ count: Int) -> Range<Int> {
        let environment = ProcessInfo.processInfo.environment
        if environment["CDEV_SANITIZED"] == "1" { return 0..<count / 20 }
        return 0..<(environment["CDEV_LONG_TESTS"] == "1" ? count : count / 5)
    }

    @Test("installing and uninstalling any file is identity; installing twice is once", arguments: seeds(1_000))
    func identity(seed: Int) throws {
        var generator = RandomSettings(seed: seed)
        let original = generator.text()
        let installed = try installing(original)
        #expect(installed.changes.count == Self.events.count)
        let again = try installing(text(installed.after), notes: installed.notes)
        #expect(again.isUnchanged && again.changes.isEmpty && again.notes == installed.notes)
        let direct = try SettingsPlan.uninstalling(from: installed.after, notes: installed.notes)
        #expect(direct.after == original.map { Array($0.utf8) })
        guard seed.isMultiple(of: 4) else { return }
        let moved = InstallTarget(scripts: "/else where/it's", onFailure: .block)
        let repaired = try installing(text(again.after), moved, notes: again.notes)
        #expect(repaired.changes.map(\.kind) == Self.events.map { _ in .repaired })
        let removed = try SettingsPlan.uninstalling(from: repaired.after, notes: repaired.notes)
        #expect(removed.after == original.map { Array($0.utf8) })
    }

    @Test("a file with random faults is refused, or comes back byte for byte", arguments: seeds(1_000))
    func mutated(seed: Int) throws {
        var generator = RandomSettings(seed: seed)
        var random = SettingsRandom(state: UInt64(seed))
        var bytes = Array((generator.text() ?? "{\"hooks\": {\"Stop\": []}}").utf8)
        for _ in 0...Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = .random(in: 0...255, using: &random)
            case 1: bytes.insert(Array("{}[]\",: \n0".utf8).randomElement(using: &random) ?? 0, at: place)
            default: bytes.remove(at: place)
            }
        }
        guard let installed = try? SettingsPlan.installing(target, in: bytes, notes: nil) else { return }
        #expect(try SettingsPlan.uninstalling(from: installed.after, notes: installed.notes).after == bytes)
    }

    @Test("after Claude rewrote the file ours are repaired, and go; the rest says the same", arguments: seeds(300))
    func rewritten(seed: Int) throws {
        var generator = RandomSettings(seed: seed)
        guard let original = generator.text() else { return }
        let installed = try installing(original)
        let rewritten = try ClaudeRewriting.rewrite(try #require(installed.after))
        #expect(text(rewritten)?.contains("_cdev_managed") == false)
        let repaired = try installing(text(rewritten), notes: installed.notes)
        #expect(repaired.changes.map(\.kind) == Self.events.map { _ in .repaired })
        #expect(text(repaired.after)?.contains("_cdev_managed") == true)
        for plan in [repaired.after, rewritten] {
            let removed = try SettingsPlan.uninstalling(from: plan, notes: repaired.notes)
            guard let after = removed.after, let before = try? JSONDocument(parsing: Array(original.utf8)).value(at: [])
            else {
                #expect(text(removed.after) == original)
                continue
            }
            let left = try #require(try JSONDocument(parsing: after).value(at: []))
            #expect(left.isEquivalent(to: ClaudeRewriting.stripped(before)))
        }
    }

    @Test("what the user changes between install and uninstall stays")
    func userEdits() throws {
        let installed = try installing("{\n  \"model\": \"a\"\n}\n")
        var document = try JSONDocument(parsing: try #require(installed.after))
        try document.set("b", at: ["model"])
        try document.set(true, at: ["verbose"])
        let removed = try SettingsPlan.uninstalling(from: document.bytes, notes: installed.notes)
        #expect(text(removed.after) == "{\n  \"model\": \"b\",\n  \"verbose\": true\n}\n")
    }

    @Test("a list of ours that the user has put something in stays, and so does all above it")
    func userHooks() throws {
        let installed = try installing(nil)
        var document = try JSONDocument(parsing: try #require(installed.after))
        try document.set(["hooks": [["type": "command", "command": "true"]]], at: ["hooks", "Stop", 1])
        let removed = try SettingsPlan.uninstalling(from: document.bytes, notes: installed.notes)
        let left = try JSON(parsing: try #require(removed.after))
        #expect(left == ["hooks": ["Stop": [["hooks": [["type": "command", "command": "true"]]]]]])
    }

    @Test("without notes the lists that get empty go, the file stays")
    func withoutNotes() throws {
        let installed = try installing("{\n  \"a\": 1,\n  \"hooks\": {\"Setup\": []}\n}")
        let removed = try SettingsPlan.uninstalling(from: installed.after, notes: nil)
        #expect(text(removed.after) == "{\n  \"a\": 1,\n  \"hooks\": {\"Setup\": []}\n}")
        let alone = try SettingsPlan.uninstalling(from: try installing(nil).after, notes: nil)
        #expect(text(alone.after) == "{}\n")
        let untouched = try SettingsPlan.uninstalling(from: Array("{\"hooks\":{}}".utf8), notes: nil)
        #expect(untouched.isUnchanged)
    }
}
