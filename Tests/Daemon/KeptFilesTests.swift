import Core
import Daemon
import Foundation
import OrderedJSON
import Platform
import TestSupport
import Testing
import Wire

/// Files that the daemon has open are deleted under it: it looks when the kernel tells, or every second where the kernel
/// may not tell of all changes.
@Suite(.timeLimit(.minutes(1))) struct KeptFilesTests {
    enum Disk: CaseIterable {
        case ours, network, unwatched
    }

    /// A daemon whose files are watched, and which has looked at them since.
    private func start(_ disk: Disk, answersPromptly: Locked<Bool> = Locked(true)) async throws -> TestDaemon {
        let looked = Events<String>()
        let test = try await TestDaemon { _, parts in
            parts.answersPromptly = { path in
                looked.add(path)
                return disk != .network && answersPromptly.withLock { $0 }
            }
            if disk == .unwatched { parts.mostWatched = 0 }
        }
        guard disk != .unwatched else { return test }
        while try test.home.read("server.log").components(separatedBy: "is watched now").count <= Self.files {
            try await letOthersRun()
        }
        guard disk == .ours else { return test }
        test.clock.advance(by: 1)
        // A file may be looked at twice before another is looked at once.
        var seen: Set<String> = []
        while seen.count < Self.files { seen.insert(try await looked.next()) }
        return test
    }

    /// The log, the database with what is beside it, the socket and two locks.
    private static let files = 7

    /// Lets the second pass within which the change has to be noticed.
    private func pass(_ test: TestDaemon) async throws {
        while !test.clock.isBusy { try await letOthersRun() }
        test.clock.advance(by: 1)
    }

    /// Whatever is deleted, the daemon is found again within a second, and a second daemon is not let in.
    @Test(arguments: ["cdev.sock", "cdev.sock.lock", "daemon.lock"], Disk.allCases)
    func makesItsSocketAndItsLocksAnew(_ file: String, _ disk: Disk) async throws {
        let test = try await start(disk)
        try FileManager.default.removeItem(atPath: test.home.file(file))
        try await pass(test)
        // A socket's file is there a moment before it takes connections.
        while (try? await test.call("status/get"))?["socket_restored_at"]?.stringValue == nil {
            try await letOthersRun()
        }
        #expect(FileManager.default.fileExists(atPath: test.home.file(file)))
        #expect(try await test.call("status/get")["socket_problem"] == JSON.null)
        #expect(try test.home.read("server.log").contains("was made anew"))
        await #expect(throws: StartError.self) { try await TestDaemon(home: test.home) }
        await test.daemon.stop()
    }

    @Test(arguments: Disk.allCases) func makesItsLogAnew(_ disk: Disk) async throws {
        let test = try await start(disk)
        try FileManager.default.removeItem(atPath: test.home.file("server.log"))
        try await pass(test)
        while (try? test.home.read("server.log"))?.contains("was made anew") != true { try await letOthersRun() }
        await test.daemon.stop()
        #expect(try test.home.read("server.log").contains("stopped"))
    }

    /// Nothing is written meanwhile.
    @Test(arguments: Disk.allCases) func noticesWithinASecondThatItsDatabaseIsGone(_ disk: Disk) async throws {
        let test = try await start(disk)
        try FileManager.default.removeItem(atPath: test.home.file("cdev.db"))
        try await pass(test)
        while try await test.call("status/get")["store_failure"] == JSON.null { try await letOthersRun() }
        let notice = try await test.call("status/get")["store_failure"]?.stringValue
        #expect(notice?.contains("cdev.db was deleted") == true)
        // Said first, made anew then.
        while !FileManager.default.fileExists(atPath: test.home.file("cdev.db")) { try await letOthersRun() }
        await test.daemon.stop()
    }

    /// An emptied file keeps its name.
    @Test(arguments: ["", "-wal", "-shm"], Disk.allCases)
    func noticesThatItsDatabaseIsCut(_ suffix: String, _ disk: Disk) async throws {
        let test = try await start(disk)
        _ = try await test.call("token/create", ["name": "phone"])
        // The store reads after it has written what the token's creation left to be written: the file may not be cut
        // while SQLite uses it.
        _ = try await test.call("permission/history")
        #expect(truncate(test.home.file("cdev.db" + suffix), 0) == 0)
        try await pass(test)
        while try await test.call("status/get")["store_failure"] == JSON.null { try await letOthersRun() }
        await test.daemon.stop()
    }

    @Test(arguments: Disk.allCases) func saysWhatStandsInItsSocketsPlace(_ disk: Disk) async throws {
        let test = try await start(disk)
        let socket = test.home.file("cdev.sock")
        let approver = try await test.approver()
        try FileManager.default.removeItem(atPath: socket)
        try test.home.write("cdev.sock", "precious")
        var problem: JSON?
        while problem == nil || problem == JSON.null {
            test.clock.advance(by: 1)
            try await approver.say(#"{"jsonrpc":"2.0","id":1,"method":"status/get"}"#)
            problem = try await approver.message(id: 1)["result"]?["socket_problem"]
        }
        #expect(problem?.stringValue?.contains("is not a socket") == true)
        #expect(try test.home.read("server.log").components(separatedBy: "cannot be made anew").count == 2, "said once")
        try FileManager.default.removeItem(atPath: socket)
        try await pass(test)
        while (try? await test.call("status/get"))?["socket_problem"] != JSON.null { try await letOthersRun() }
        try await approver.leave()
        await test.daemon.stop()
    }

    /// The kernel does not tell of another file system over the directory; here of a disk that is no longer ours.
    @Test func sleepsWhileIdleAndLooksOnceAMinute() async throws {
        let answersPromptly = Locked(true)
        let test = try await start(.ours, answersPromptly: answersPromptly)
        // What the start has written may be told of for a while; then nothing wakes it.
        var idle = 0
        while idle < 20 {
            idle = test.clock.isBusy ? 0 : idle + 1
            test.clock.advance(by: 1)
            _ = try await test.call("status/get")
        }
        answersPromptly.withLock { $0 = false }
        test.clock.advance(by: 45)
        while !test.clock.isBusy { try await letOthersRun() }
        await test.daemon.stop()
    }
}
