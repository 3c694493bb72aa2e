import Agents
import Glibc
import OrderedJSON
import TestSupport
import Testing

@Suite("Are the hooks as they should be")
struct SettingsStatusTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        #expect(mkdir(directory("c"), 0o755) == 0)
    }

    func installer() throws -> SettingsInstaller {
        try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home"))
    }

    @Test("not there, there, and after Claude rewrote the file")
    func states() throws {
        let before = directory.snapshot()
        let none = try installer().status(relay: "/nonexistent/cdev-hook")
        #expect(none.state == .notInstalled && none.missing.count == 13 && none.problems.isEmpty)
        #expect(directory.snapshot() == before)
        try installer().install()
        let all = try installer().status()
        #expect(all.state == .installed && all.missing.isEmpty && all.outdated.isEmpty && all.problems.isEmpty)
        let rewritten = try ClaudeRewriting.rewrite(Array(try #require(directory.read("c/settings.json")).utf8))
        try directory.write(try #require(text(rewritten)), to: "c/settings.json")
        #expect(try installer().status().state == .installed)
    }

    @Test("missing, differing and superfluous entries")
    func outdated() throws {
        try installer().install()
        var document = try JSONDocument(parsing: Array(try #require(directory.read("c/settings.json")).utf8))
        try document.remove(at: ["hooks", "Stop"])
        try document.set(60, at: ["hooks", "PreToolUse", 0, "hooks", 0, "timeout"])
        try document.set("Bash", at: ["hooks", "PermissionRequest", 0, "matcher"])
        try document.set(try #require(document.value(at: ["hooks", "SessionEnd"])), at: ["hooks", "PreCompact"])
        try document.set(try #require(document.value(at: ["hooks", "SessionEnd", 0])), at: ["hooks", "SessionEnd", 1])
        try directory.write(try #require(text(document.bytes)), to: "c/settings.json")
        let status = try installer().status()
        #expect(status.state == .outdated)
        #expect(status.missing == ["Stop"])
        #expect(status.outdated == ["PermissionRequest", "PreCompact", "PreToolUse", "SessionEnd"])
        try installer().install()
        #expect(try installer().status().state == .installed)
    }

    @Test(
        "what keeps Claude from running them",
        arguments: [
            ("{\"disableAllHooks\": true}", "disableAllHooks"), ("{,}", "line 1, column 2"),
            ("{\"hooks\": []}", "line 1, column 11"),
            ("{\"hooks\":{\"_x\":1}}", "\"_x\" under hooks"),
            ("{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"shell\"}]}]}}", "hook whose type is not valid"),
            (
                "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"timeout\":\"5\"}]}]}}",
                "whose timeout is not valid"
            ),
            (
                "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"/h/.cdev/hooks/forward.sh stop\"}]}]}}",
                "an early version"
            ),
        ])
    func problems(settings: String, message: String) throws {
        try directory.write(settings, to: "c/settings.json")
        let status = try installer().status()
        #expect(status.problems.count == 1)
        #expect(status.problems.first?.message.contains(message) == true, "\(status.problems)")
        #expect(status.problems.first?.remedy.isEmpty == false)
        #expect(status.state == (message.hasPrefix("line") ? .unreadable : .notInstalled))
    }

    @Test("scripts, the relay, the administrator and the project")
    func surroundings() throws {
        try installer().install()
        try directory.write("#!/bin/sh\n", to: "home/hooks/forward.sh")
        _ = unlink(directory("home/hooks/permission.sh"))
        try directory.write("{\"allowManagedHooksOnly\": true}", to: "managed.json")
        try directory.write("{\"disableAllHooks\": true}", to: "project.json")
        let status = try installer().status(
            relay: directory("nothing"), managed: directory("managed.json"), projects: [directory("project.json")])
        let messages = status.problems.map(\.message)
        #expect(messages.count == 5)
        for (message, part) in zip(
            messages, ["forward.sh", "permission.sh", "nothing", "allowManagedHooksOnly", "project.json"])
        {
            #expect(message.contains(part))
        }
        #expect(status.state == .installed)
    }
}
