import Glibc
import Loop
import Platform
import TestSupport
import Testing

/// A process that outlives whoever started it.
@Suite("Spooled processes", .timeLimit(.minutes(1)))
struct SpooledProcessTests {
    private let loop: EventLoop
    private let directory: TemporaryDirectory
    private let ends = Events<Subprocess.Exit?>()
    /// Says each line again, and ends at `end`.
    private static let echo = "while read -r line; do case $line in end) exit 3;; *) echo \"said $line\";; esac; done"

    init() throws {
        loop = try EventLoop()
        directory = try TemporaryDirectory()
        #expect(mkfifo(directory("in"), 0o600) == 0)
    }

    private func start(_ script: String = echo) async throws -> SpooledProcess {
        let streams = [
            open(directory("in"), O_RDWR | O_CLOEXEC),
            open(directory("out"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600),
            open("/dev/null", O_WRONLY | O_CLOEXEC),
        ]
        defer { for stream in streams { close(stream) } }
        let program = Program(path: "/bin/sh", words: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        return try await loop.run { [loop, ends, directory] () throws(SystemError) in
            try SpooledProcess(program, on: streams, input: directory("in"), loop: loop) { ends.add($0) }
        }
    }

    private func adopt(_ pid: Int32, isMeant: Bool = true) async throws -> SpooledProcess {
        try await loop.run { [loop, ends, directory] () throws(SystemError) in
            try SpooledProcess(adopting: pid, input: directory("in"), loop: loop, isMeant: { isMeant }) {
                ends.add($0)
            }
        }
    }

    private func say(_ text: String, to process: SpooledProcess) async {
        #expect(await loop.run { process.write(Array((text + "\n").utf8)) })
    }

    @Test func readsWhatIsWrittenAndTellsItsEnd() async throws {
        let process = try await start()
        await say("one", to: process)
        await say("two", to: process)
        await say("end", to: process)
        #expect(try await ends.next() == .code(3))
        #expect(directory.read("out") == "said one\nsaid two\n")
        #expect(await loop.run { !process.write([10]) }, "nobody reads it any more")
        await loop.stop()
    }

    @Test func goesOnWithoutUsAndIsAdopted() async throws {
        let process = try await start()
        await say("one", to: process)
        await loop.run { process.release() }
        let next = try await adopt(process.pid)
        await say("two", to: next)
        await say("end", to: next)
        // It is still a child of this process here, so its status is there for whoever started it.
        _ = try await ends.next()
        #expect(directory.read("out") == "said one\nsaid two\n")
        #expect(waitpid(process.pid, nil, 0) == process.pid)
        await loop.stop()
    }

    @Test func isEndedByASignal() async throws {
        let process = try await start()
        await loop.run { process.signal(SIGTERM) }
        #expect(try await ends.next() == .signal(SIGTERM))
        await loop.stop()
    }

    @Test func takesNoOtherProcessForIt() async throws {
        let process = try await start()
        await #expect(throws: SystemError(code: ESRCH)) { _ = try await adopt(process.pid, isMeant: false) }
        await say("end", to: process)
        _ = try await ends.next()
        await #expect(throws: SystemError(code: ESRCH)) { _ = try await adopt(process.pid) }
        await loop.stop()
    }

    @Test func takesInputThatIsLargerThanAPipe() async throws {
        let process = try await start("head -c 3000000 | wc -c")
        await say(String(repeating: "y", count: 3_000_000), to: process)
        #expect(try await ends.next() == .code(0))
        #expect(directory.read("out")?.contains("3000000") == true)
        await loop.stop()
    }

    @Test func whatCannotBeStartedIsAnError() async throws {
        let program = Program(path: "/nowhere", words: ["x"], environment: [:])
        await #expect(throws: SystemError(code: ENOENT)) {
            try await loop.run { [loop, directory] () throws(SystemError) in
                _ = try SpooledProcess(program, on: [0, 1, 2], input: directory("in"), loop: loop) { _ in }
            }
        }
        await loop.stop()
    }
}
