import Agents
import Foundation
import Glibc
import OrderedJSON
import Synchronization
import TestSupport
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

    @Test("a daemon that is just starting does not put back what the user takes out meanwhile")
    func uninstalledMeanwhile() throws {
        let directory = directory
        try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")).install()
        let daemon = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            guard case .called = step else { return }
            _ = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")).uninstall()
        }
        #expect(try daemon.installIfWanted().map(\.changes) == nil)
        #expect(directory.read("c/settings.json") == "{\n  \"a\": 1\n}\n")
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

    @Test("where what was taken out cannot be read, the file is as it was, as is said", arguments: [true, false])
    func unreadable(installs: Bool) throws {
        let path = directory("c/\(installs ? "settings" : "new").json")
        if !installs { try SettingsInstaller(settings: path, home: directory("home")).install() }
        let before = try String(contentsOfFile: path, encoding: .utf8)
        let failing = try SettingsInstaller(settings: path, home: directory("home")) { step throws(InstallError) in
            if case .placed = step { throw Crash.error }
        }
        #expect(throws: Crash.error) { _ = try installs ? failing.install() : failing.uninstall() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
        #expect(shell("ls -A '\(directory("c"))'").contains(".cdev") == false)
    }

    @Test("where what was taken out cannot be read, what another program wrote since stays")
    func unreadableAndChanged() throws {
        let directory = directory
        let failing = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            guard case .placed = step else { return }
            try? Writer.byRenaming.write("{\"a\": 3}", to: "c/settings.json", in: directory)
            throw Crash.error
        }
        #expect(throws: Crash.error) { try failing.install() }
        #expect(directory.read("c/settings.json") == "{\"a\": 3}")
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

    /// How other programs write a file.
    enum Writer: CaseIterable {
        case inPlace, byRenaming

        func write(_ text: String, to name: String, in directory: TemporaryDirectory) throws {
            guard self == .byRenaming else { return try directory.write(text, to: name) }
            try directory.write(text, to: name + ".theirs")
            #expect(rename(directory(name + ".theirs"), directory(name)) == 0)
        }
    }

    @Test("a change that comes right before ours is in place is not lost", arguments: Writer.allCases, [true, false])
    func changedAtTheLastMoment(writer: Writer, installs: Bool) throws {
        let directory = directory
        let path = directory("c/settings.json")
        if !installs { try SettingsInstaller(settings: path, home: directory("home")).install() }
        let installer = try SettingsInstaller(settings: path, home: directory("home")) { step throws(InstallError) in
            guard case .staged = step, let text = directory.read("c/settings.json"), text.contains("\"a\": 1") else {
                return
            }
            try? writer.write(text.replacing("\"a\": 1", with: "\"a\": 2"), to: "c/settings.json", in: directory)
        }
        if installs { try installer.install() }
        #expect(directory.read("c/settings.json")?.hasPrefix("{\n  \"a\": 2,\n  \"hooks\": {") == installs)
        _ = try installer.uninstall()
        #expect(directory.read("c/settings.json") == "{\n  \"a\": 2\n}\n")
        #expect(shell("ls -A '\(directory("c"))'") == "settings.json\n")
    }

    @Test("a file that somebody makes, or fills, while we make or remove it is theirs", arguments: Writer.allCases)
    func madeAtTheLastMoment(writer: Writer) throws {
        let directory = directory
        let installer = try SettingsInstaller(settings: directory("c/new.json"), home: directory("home")) {
            step throws(InstallError) in
            let text = directory.read("c/new.json")
            guard case .staged = step, text?.contains("theirs") != true else { return }
            try? writer.write("{\"theirs\": 1}", to: "c/new.json", in: directory)
        }
        try installer.install()
        #expect(directory.read("c/new.json")?.hasPrefix("{\"theirs\": 1") == true)
        #expect(directory.read("c/new.json")?.contains("hooks") == true)
        unlink(directory("c/new.json"))
        try SettingsInstaller(settings: directory("c/new.json"), home: directory("home")).install()
        _ = try installer.uninstall()
        #expect(directory.read("c/new.json") == "{\"theirs\": 1}")
    }

    @Test("who has the file open and writes to it once it was replaced has written to the file")
    func writesToWhatWasReplaced() throws {
        let directory = directory
        let theirs = open(directory("c/settings.json"), O_RDWR)
        let text = Array("{\n  \"a\": 2\n}\n".utf8)
        let isFirst = Atomic(true)
        let installer = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            // It comes again while they still write: the descriptor may then be closed, or another file's.
            guard case .placed = step, isFirst.exchange(false, ordering: .relaxed) else { return }
            // As another thread would, while the installer waits for it.
            Thread.detachNewThread {
                #expect(pwrite(theirs, text, text.count, 0) == text.count)
                close(theirs)
            }
        }
        try installer.install()
        #expect(directory.read("c/settings.json")?.hasPrefix("{\n  \"a\": 2,\n  \"hooks\": {") == true)
    }

    @Test("an older text that is put over ours does not end our hooks")
    func overwritten() throws {
        let directory = directory
        let isFirst = Atomic(true)
        let installer = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home")) {
            step throws(InstallError) in
            guard case .placed = step, isFirst.exchange(false, ordering: .relaxed) else { return }
            try? Writer.byRenaming.write("{\n  \"a\": 3\n}\n", to: "c/settings.json", in: directory)
        }
        try installer.install()
        #expect(directory.read("c/settings.json")?.hasPrefix("{\n  \"a\": 3,\n  \"hooks\": {") == true)
    }

    @Test("nothing that another program writes is lost, however often", .timeLimit(.minutes(5)))
    func restlessNeighbour() async throws {
        let rounds = ProcessInfo.processInfo.environment["CDEV_LONG_TESTS"] == "1" ? 200 : 20
        let directory = directory
        for round in 1...rounds {
            let writer = round % 2 == 0 ? Writer.inPlace : .byRenaming
            try directory.write("{\"a\": 0}", to: "c/settings.json")
            async let last = Task.detached {
                for number in 1...25 {
                    try writer.write("{\"a\": \(number), \"b\": [\(round)]}", to: "c/settings.json", in: directory)
                }
            }.value
            let installer = try SettingsInstaller(settings: directory("c/settings.json"), home: directory("home"))
            for _ in 0..<3 {
                do throws(InstallError) {
                    try installer.install()
                    _ = try installer.uninstall()
                } catch {
                    #expect(error == .changedMeanwhile(path: installer.settings))
                }
            }
            try await last
            let left = try JSON(parsing: try #require(directory.read("c/settings.json")))
            #expect(left["a"] == 25 && left["b"] == [.number(JSONNumber(round))], "\(writer), round \(round)")
        }
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
