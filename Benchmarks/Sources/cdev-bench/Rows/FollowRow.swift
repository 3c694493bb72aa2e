import CBench
import Glibc

extension Row {
    static let follow = Row(
        name: "follow",
        measures: "a line in a transcript → the event of its message at a client that watches the session",
        against: "inotify and read in C",
        run: { try FollowRow(bench: $0).run() })
}

private struct FollowRow {
    let bench: Bench

    func run() throws -> Findings {
        var findings = Findings()
        let home = try bench.makeDirectory("h")
        let files = try TranscriptFiles(home: home)
        let session = TranscriptFiles.session(1)
        try files.write(session: session, bytes: 1 << 20)
        let observed = try Observed(bench, home: home)
        try observed.waitForIndex(of: 1)
        let client = try observed.daemon.approver()
        _ = try client.call("workspace/session/watch", ["session_id": .string(session)])
        let floor = try Follower(files.path(session))
        let samples = try Interleaving.run(
            rounds: bench.rounds(300),
            [
                Variant("cdev") { try line(files, session, floor) { _ = try client.event("event/claude_message") } },
                Variant("C") {
                    let time = try line(files, session, nil) { try floor.next() }
                    _ = try client.event("event/claude_message")
                    return time
                },
            ])
        findings.add("cdev", samples[0])
        findings.add("inotify and read in C", samples[1])
        findings.check("cdev − C", (samples[0].median - samples[1].median) / 1e6, .atMost(5), .milliseconds)
        observed.daemon.stop()
        return findings
    }

    /// From the write of a line until it has been seen. Who does not measure sees it afterwards.
    private func line(
        _ files: TranscriptFiles, _ session: String, _ other: Follower?, seen: () throws -> Void
    ) throws -> Nanoseconds {
        let line = files.line(of: session)
        let file = open(files.path(session), O_WRONLY | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { throw BenchError.system("appending") }
        defer { close(file) }
        let time = try Clock.time {
            guard write(file, line, line.count) == line.count else { throw BenchError.system("appending") }
            try seen()
        }
        try other?.next()
        return time
    }
}

/// Follows a file as little as can be done.
private final class Follower {
    private let queue: Int32
    private let file: Int32
    private var buffer = [CChar](repeating: 0, count: 64 << 10)

    init(_ path: String) throws {
        queue = cbench_follow(path)
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard queue >= 0, file >= 0 else { throw BenchError.system("following \(path)") }
        lseek(file, 0, SEEK_END)
    }

    deinit {
        close(queue)
        close(file)
    }

    func next() throws {
        guard cbench_next(queue, file, &buffer, buffer.count) > 0 else { throw BenchError.system("following") }
    }
}
