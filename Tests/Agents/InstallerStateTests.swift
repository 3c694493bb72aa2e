import Agents
import Glibc
import OrderedJSON
import TestSupport
import Testing

@Suite("What the installer remembers and reports")
struct InstallerStateTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        #expect(mkdir(directory("c"), 0o755) == 0)
        try directory.write("{}\n", to: "c/settings.json")
    }

    func installer(_ settings: String = "c/settings.json", home: String = "home") throws -> SettingsInstaller {
        try SettingsInstaller(settings: directory(settings), home: directory(home))
    }

    @Test("that the user uninstalled, until the user installs again; for each settings file by itself")
    func uninstalledByUser() throws {
        #expect(try !installer().status().wasUninstalledByUser)
        _ = try installer().uninstall()
        #expect(try installer().status().wasUninstalledByUser)
        #expect(try !installer("c/other.json").status().wasUninstalledByUser)
        try installer("c/other.json").install()
        #expect(try installer().status().wasUninstalledByUser)
        #expect(try installer().installIfWanted().map(\.isUnchanged) == nil)
        #expect(try installer("c/other.json").installIfWanted()?.isUnchanged == true)
        try installer().install()
        #expect(try !installer().status().wasUninstalledByUser)
        _ = try installer().uninstall(dryRun: true)
        #expect(try !installer().status().wasUninstalledByUser)
    }

    @Test("what to do on failure, when a repair does not say")
    func onFailure() throws {
        #expect(try installer().recordedOnFailure() == nil)
        try installer().install(onFailure: .block)
        #expect(try installer().recordedOnFailure() == .block)
        #expect(try installer().install().isUnchanged)
        #expect(directory.read("home/hooks/permission.sh")?.contains("\non_failure='block'\n") == true)
        #expect(directory.read("home/hooks/forward.sh")?.contains("on_failure") == false)
        #expect(try installer().status().state == .installed)
        try installer().install(onFailure: .continue)
        #expect(directory.read("home/hooks/permission.sh")?.contains("\non_failure='continue'\n") == true)
        #expect(directory.read("c/settings.json")?.contains("onFailure") == false)
    }

    @Test(
        "notes that cannot be read stop it before anything is touched",
        arguments: ["{", "[]", "{\"settings\":{\"/x\":1}}"])
    func brokenNotes(text: String) throws {
        #expect(mkdir(directory("home"), 0o700) == 0)
        try directory.write(text, to: "home/installed.json")
        let error = #expect(throws: InstallError.self) { try installer().install() }
        #expect(error?.description.contains("home/installed.json") == true)
        #expect(throws: InstallError.self) { try installer().uninstall() }
        #expect(directory.read("c/settings.json") == "{}\n")
    }

    @Test("a new home repairs what the old one installed, and either takes it out again")
    func movedHome() throws {
        try installer(home: "old").install()
        let report = try installer(home: "new").install()
        #expect(report.changes.map(\.kind) == report.changes.map { _ in .repaired } && report.changes.count == 13)
        #expect(directory.read("c/settings.json")?.contains("/old/") == false)
        _ = try installer(home: "new").uninstall()
        #expect(try JSON(parsing: try #require(directory.read("c/settings.json"))) == [:])
    }

    @Test(
        "the installed command runs, from whatever path",
        arguments: [
            "home", "a home with spaces", "it's \"quoted\"", "$HOME `x` $(touch y)", "back\\slash;&|", "# cdev", "é😀",
        ])
    func commandRuns(home: String) throws {
        try installer(home: home).install(relay: "/opt/it's $1/cdev-hook", onFailure: .block)
        let hooks = try JSON(parsing: try #require(directory.read("c/settings.json")))["hooks"]
        let socket = try installer(home: home).home + "/cdev.sock"
        for (event, printed) in [
            ("PreToolUse", "/opt/it's $1/cdev-hook|\(socket)|block"), ("Stop", "/opt/it's $1/cdev-hook|\(socket)"),
        ] {
            let entry = hooks?[event]?.arrayValue?.first?["hooks"]?.arrayValue?.first
            let command = try #require(entry?["command"]?.stringValue)
            #expect(shell(command) == printed)
        }
        #expect(try installer(home: home).install(relay: "/opt/it's $1/cdev-hook").isUnchanged)
        #expect(try installer(home: home).uninstall().changes.count == 13)
        #expect(directory.read("c/settings.json") == "{}\n")
    }

    @Test("where the settings are")
    func location() throws {
        let environment = ["HOME": "/home/u", "CLAUDE_CONFIG_DIR": "/conf"]
        #expect(try SettingsLocation.path(option: "/x.json", environment: environment) == "/x.json")
        #expect(try SettingsLocation.path(option: nil, environment: environment) == "/conf/settings.json")
        #expect(
            try SettingsLocation.path(option: nil, environment: ["HOME": "/h", "CLAUDE_CONFIG_DIR": ""])
                == "/h/.claude/settings.json")
        #expect(throws: InstallError.unknownHome) { try SettingsLocation.path(option: nil, environment: ["HOME": ""]) }
    }
}
