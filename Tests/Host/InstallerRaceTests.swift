import Glibc
import Host
import OrderedJSON
import Testing

@Suite("Installing while something else happens")
struct InstallerRaceTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        #expect(mkdir(directory("c"), 0o755) == 0)
        try directory.write("{\n  \"a\": 1\n}\n", to: "c/settings.json")
    }

    private struct Crash {
        static let error = InstallError.failed(operation: "go on with", path: "test", reason: "crash")
    }

    @Test("a crash between writing and renaming leaves the old file whole, and the next install goes through")
    func crash() throws {
        let crashing = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            if case .staged = step { throw Crash.error }
        }
        #expect(throws: Crash.error) { try crashing.install() }
        #expect(directory.read("c/settings.json") == "{\n  \"a\": 1\n}\n")
        // A real crash leaves the lock file, too; nobody holds it.
        try directory.write("", to: "c/.cdev-lock")
        try directory.write("", to: "home/installed.lock")
        let installer = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home"))
        #expect(try installer.install().changes.count == 13)
        #expect(shell("ls -A '\(directory("c"))'") == "settings.json\n")
        _ = try installer.uninstall()
        #expect(directory.read("c/settings.json") == "{\n  \"a\": 1\n}\n")
    }

    @Test("after a crash of the very first install a file that the user made is the user's")
    func crashThenFile() throws {
        let path = directory("c/new.json")
        let crashing = try SettingsInstaller(settings: path, home: directory("home")) { step throws(InstallError) in
            if case .staged = step { throw Crash.error }
        }
        #expect(throws: Crash.error) { try crashing.install() }
        try directory.write("{}", to: "c/new.json")
        let installer = try SettingsInstaller(settings: path, home: directory("home"))
        try installer.install()
        _ = try installer.uninstall()
        #expect(directory.read("c/new.json") == "{}")
    }

    @Test("a change that comes in between is not lost")
    func changedMeanwhile() throws {
        let directory = directory
        let installer = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            if case .planned = step, directory.read("c/settings.json")?.contains("\"a\": 1") == true {
                try? directory.write("{\n  \"a\": 2\n}\n", to: "c/settings.json")
            }
        }
        try installer.install()
        #expect(directory.read("c/settings.json")?.hasPrefix("{\n  \"a\": 2,\n  \"hooks\": {") == true)
        _ = try installer.uninstall()
        #expect(directory.read("c/settings.json") == "{\n  \"a\": 2\n}\n")
    }

    @Test("a file that never stops changing is given up, unharmed")
    func restless() throws {
        let directory = directory
        let installer = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            if case .planned = step {
                try? directory.write((directory.read("c/settings.json") ?? "") + "\n", to: "c/settings.json")
            }
        }
        let error = #expect(throws: InstallError.self) { try installer.install() }
        #expect(error == .changedMeanwhile(path: installer.settings))
        #expect(directory.read("c/settings.json")?.contains("hooks") == false)
    }

    @Test("who holds the lock is waited for, then named", arguments: ["c/.cdev-lock", "home/installed.lock"])
    func busy(lock: String) throws {
        let installer = try SettingsInstaller(
            settings: directory("c/settings.json"), home: directory("home"), patience: .milliseconds(30))
        mkdir(directory("home"), 0o700)
        let file = open(directory(lock), O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        #expect(flock(file, LOCK_EX) == 0)
        let error = #expect(throws: InstallError.self) { try installer.install() }
        #expect(error?.description.hasPrefix("another cdev is changing ") == true)
        #expect(directory.read("c/settings.json") == "{\n  \"a\": 1\n}\n")
        #expect(flock(file, LOCK_UN) == 0)
        #expect(try installer.install().changes.count == 13)
    }

    @Test("installs at the same time, from the same and from other homes, make one", .timeLimit(.minutes(2)))
    func concurrent() async throws {
        let directory = directory
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                group.addTask {
                    let home = directory("home\(number % 3)")
                    try SettingsInstaller(settings: directory("c/settings.json"), home: home, patience: .seconds(60))
                        .install()
                }
            }
            try await group.waitForAll()
        }
        let settings = try JSON(parsing: try #require(directory.read("c/settings.json")))
        #expect(settings["a"] == 1)
        let hooks = try #require(settings["hooks"]?.objectValue)
        #expect(hooks.count == 13)
        #expect(hooks.allSatisfy { $0.value.arrayValue?.count == 1 })
        #expect(shell("ls -A '\(directory("c"))'") == "settings.json\n")
    }
}
