import Core
import Foundation
import OrderedJSON
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct StoppedDaemonTests {
    /// Says its name when nothing holds it any more.
    private final class Held: Sendable {
        let name: String
        let released: AsyncStream<String>.Continuation

        init(_ name: String, _ released: AsyncStream<String>.Continuation) {
            self.name = name
            self.released = released
        }

        deinit { released.yield(name) }
    }

    private struct HeldPaths: ClaudeRules {
        let held: Held

        func allows(tool: String, input: JSON, root: String) -> Bool { false }
    }

    @Test("a stopped daemon leaves no store, no broker and no thread behind")
    func nothing() async throws {
        let (names, released) = AsyncStream.makeStream(of: String.self)
        let before = try storeThreads
        try await serveAndStop { Held($0, released) }
        var missing: Set = ["broker", "store"]
        for await name in names {
            missing.remove(name)
            if missing.isEmpty { break }
        }
        #expect(missing.isEmpty)
        while try storeThreads > before { try await letOthersRun() }
        #expect(try storeThreads <= before)
    }

    /// A daemon whose parts all were in use: a device, a connected client, a held call, notifications.
    private func serveAndStop(_ hold: (String) -> Held) async throws {
        let daemon = try await TestDaemon { _, parts in
            let store = hold("store")
            parts.storeOptions.now = {
                _ = store
                return Timestamp(milliseconds: 1_000_000_000)
            }
            parts.claudeRules = HeldPaths(held: hold("broker"))
        }
        _ = try await daemon.call("token/create", ["name": "phone"])
        let approver = try await daemon.approver()
        let relay = try await daemon.relay(bash("touch x"))
        _ = try await approver.message("event/pty_permission")
        await daemon.daemon.stop()
        _ = try await relay.answer()
    }

    private var storeThreads: Int {
        get throws {
            let tasks = "/proc/self/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).count {
                (try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)) == "cdev-store\n"
            }
        }
    }
}
