import Agents
import Glibc
import OrderedJSON
import TestSupport
import Testing

@Suite("Installing into real files")
struct InstallerTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    func installer(_ settings: String = "c/settings.json", home: String = "home") throws -> SettingsInstaller {
        try SettingsInstaller(settings: directory(settings), home: directory(home))
    }

    func prepare(_ text: String) throws {
        #expect(mkdir(directory("c"), 0o755) == 0)
        try directory.write(text, to: "c/settings.json")
    }

    @Test("what is missing is created, for its user alone, and goes again")
    func fromNothing() throws {
        let installer = try installer("c/d/settings.json")
        let report = try installer.install()
        #expect(report.changes.count == 13 && report.scripts.count == 2 && report.backup == nil)
        #expect(report.diff.hasPrefix("--- /dev/null\n"))
        #expect(mode(directory("c/d/settings.json")).hasPrefix("600 "))
        #expect(mode(directory("c")).hasPrefix("700 ") && mode(directory("c/d")).hasPrefix("700 "))
        #expect(
            mode(directory("home")).hasPrefix("700 ") && mode(directory("home/hooks/permission.sh")).hasPrefix("755 "))
        #expect(mode(directory("home/installed.json")).hasPrefix("600 "))
        let again = try installer.install()
        #expect(again.isUnchanged && again.changes.isEmpty && again.backup == nil)
        let removed = try installer.uninstall()
        #expect(removed.changes.map(\.kind) == removed.changes.map { _ in .removed } && removed.changes.count == 13)
        #expect(access(directory("c"), F_OK) != 0)
        #expect(try installer.uninstall().isUnchanged)
    }

    @Test("a directory that somebody else uses by now stays")
    func sharedDirectory() throws {
        let installer = try installer("c/d/settings.json")
        try installer.install()
        try directory.write("x", to: "c/other")
        _ = try installer.uninstall()
        #expect(shell("cd '\(directory("c"))' && ls -A") == "other\n")
    }

    @Test(
        "a file that is there comes back byte for byte",
        arguments: ["", "\n", "{}", "{ }\r\n", "\u{FEFF}{\"a\":1.0}", "{\"hooks\":{}}"])
    func restored(text: String) throws {
        try prepare(text)
        let before = shell("cd '\(directory("c"))' && ls -lA --time-style=+ && cksum *")
        let installer = try installer()
        try installer.install()
        try installer.install(relay: "/bin/false", onFailure: .block)
        _ = try installer.uninstall()
        #expect(shell("cd '\(directory("c"))' && ls -lA --time-style=+ && cksum *") == before)
    }

    @Test("random files, with a reinstall from elsewhere in between", arguments: 0..<40)
    func random(seed: Int) throws {
        var generator = RandomSettings(seed: seed)
        let text = generator.text()
        if let text { try prepare(text) }
        let here = try installer()
        try here.install()
        let state = directory.read("c/settings.json")
        #expect(try here.install().isUnchanged)
        #expect(directory.read("c/settings.json") == state)
        _ = try here.uninstall()
        #expect(directory.read("c/settings.json").map { Array($0.utf8) } == text.map { Array($0.utf8) })
    }

    @Test("mode and owner are kept, the text before is backed up, once")
    func kept() throws {
        try prepare("{\"a\": 1}")
        _ = chmod(directory("c/settings.json"), 0o640)
        if geteuid() == 0 { #expect(chown(directory("c/settings.json"), 1234, 2345) == 0) }
        let before = mode(directory("c/settings.json"))
        let report = try installer().install()
        #expect(mode(directory("c/settings.json")) == before)
        #expect(report.backup.flatMap(readText) == "{\"a\": 1}")
        #expect(report.backup.map(mode)?.hasPrefix("600 ") == true)
        let installed = directory.read("c/settings.json")
        let removed = try installer().uninstall()
        #expect(removed.backup == report.backup && removed.backup.flatMap(readText) == installed)
        #expect(mode(directory("c/settings.json")) == before)
        #expect(shell("ls '\(directory("home/backup"))' | wc -l") == "1\n")
    }

    @Test("a link is followed and stays a link", arguments: [true, false])
    func symlinked(isTargetThere: Bool) throws {
        #expect(mkdir(directory("c"), 0o755) == 0 && mkdir(directory("dotfiles"), 0o755) == 0)
        if isTargetThere { try directory.write("{}", to: "dotfiles/claude.json") }
        #expect(symlink("../dotfiles/claude.json", directory("c/settings.json")) == 0)
        let installer = try installer()
        try installer.install()
        #expect(installer.settings.hasSuffix("/dotfiles/claude.json"))
        #expect(shell("readlink '\(directory("c/settings.json"))'") == "../dotfiles/claude.json\n")
        #expect(directory.read("dotfiles/claude.json")?.contains("permission.sh") == true)
        _ = try SettingsInstaller(settings: directory("dotfiles/claude.json"), home: directory("home")).uninstall()
        #expect(shell("cd '\(directory("dotfiles"))' && ls -A") == (isTargetThere ? "claude.json\n" : ""))
        #expect(directory.read("dotfiles/claude.json") == (isTargetThere ? "{}" : nil))
    }

    @Test("a dry run changes nothing", arguments: ["{\"a\": 1}\n", nil])
    func dryRun(text: String?) throws {
        if let text { try prepare(text) }
        let before = directory.snapshot()
        let report = try installer().install(dryRun: true)
        #expect(report.changes.count == 13 && !report.diff.isEmpty && report.scripts.count == 2)
        #expect(directory.snapshot() == before)
        try installer().install()
        let installed = directory.snapshot()
        #expect(try installer().uninstall(dryRun: true).diff.contains("\n-"))
        #expect(try installer().install(dryRun: true).isUnchanged)
        #expect(directory.snapshot() == installed)
    }

    @Test(
        "what is refused is left alone, and nothing is left behind",
        arguments: ["{,}", "{\"hooks\":1}", "// x\n{}", "{\"a\":1,}"])
    func refused(text: String) throws {
        try prepare(text)
        let error = #expect(throws: InstallError.self) { try installer().install() }
        #expect(error?.description.contains("line 1, column") == true)
        #expect(error?.description.hasPrefix(directory("c/settings.json") + " was left as it is") == true)
        #expect(throws: InstallError.self) { try installer().uninstall() }
        #expect(directory.read("c/settings.json") == text)
        #expect(shell("cd '\(directory.path)' && find . -type f") == "./c/settings.json\n")
    }

    @Test("paths that cannot be used")
    func unusable() throws {
        try prepare("{}")
        #expect(throws: InstallError.self) {
            try SettingsInstaller(settings: directory("c"), home: directory("h")).install()
        }
        #expect(throws: InstallError.self) { try installer("c/settings.json/x") }
        #expect(throws: InstallError.self) { try installer("c/a\nb.json") }
        #expect(throws: InstallError.self) { try SettingsInstaller(settings: "", home: directory("h")) }
        #expect(symlink("loop", directory("c/loop")) == 0)
        #expect(throws: InstallError.self) { try installer("c/loop") }
        #expect(throws: InstallError.self) { try installer().install(relay: "cdev-hook") }
        #expect(throws: InstallError.badTemplate(script: "permission.sh", missing: "socket=")) {
            try InstallScripts(
                .init(permission: "relay=\n", forward: "relay=\nsocket=\n"), relay: "/r", socket: "/s",
                onFailure: .block)
        }
        #expect(directory.read("c/settings.json") == "{}")
    }

    @Test("a directory that may not be written in")
    func readOnly() throws {
        try prepare("{}")
        #expect(chmod(directory.path, 0o755) == 0 && chmod(directory("c"), 0o555) == 0)
        #expect(mkdir(directory("home"), 0o777) == 0 && chmod(directory("home"), 0o777) == 0)
        // Root may write everywhere: be nobody on this thread.
        let setFileUser = try #require(dlsym(nil, "setfsuid"))
        let actAs = unsafeBitCast(setFileUser, to: (@convention(c) (uid_t) -> CInt).self)
        _ = actAs(geteuid() == 0 ? 65_534 : geteuid())
        defer { _ = actAs(geteuid()) }
        let error = #expect(throws: InstallError.self) { try installer().install() }
        #expect(error?.description.contains("Permission denied") == true, "\(String(describing: error))")
        #expect(directory.read("c/settings.json") == "{}")
        #expect(shell("ls -A '\(directory("c"))'") == "settings.json\n")
    }
}
