import Foundation
import Loop
import Platform
import TestSupport
import Testing

@Suite("Child processes", .timeLimit(.minutes(1)))
struct SubprocessTests {
    private let loop: EventLoop
    private let events = Events<Subprocess.Event>()

    init() throws {
        loop = try EventLoop()
    }

    private func program(_ script: String) -> Program {
        var program = Program(
            path: "/bin/sh", words: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin", "A": "b c"])
        program.mostWaitForRest = .milliseconds(20)
        return program
    }

    private func start(_ program: Program) async throws -> Subprocess {
        try await loop.run { [loop, events] () throws(SystemError) in
            try Subprocess(program, on: loop) { events.add($0) }
        }
    }

    /// All events of a program until it has ended.
    private func all() async throws -> [Subprocess.Event] {
        var all: [Subprocess.Event] = []
        while true {
            all.append(try await events.next())
            if case .ended = all.last { return all }
        }
    }

    private static func line(_ text: String, isCut: Bool = false) -> LineBuffer.Line {
        LineBuffer.Line(bytes: Array(text.utf8), isCut: isCut)
    }

    @Test func saysWhatItSaysAndHowItEnds() async throws {
        _ = try await start(program("echo one; echo two; printf three; exit 7"))
        #expect(
            try await all() == [
                .output(Self.line("one")), .output(Self.line("two")), .output(Self.line("three")), .ended(.code(7)),
            ])
        _ = try await start(program("echo oh >&2; kill -TERM $$"))
        #expect(try await all() == [.errors(Self.line("oh")), .ended(.signal(SIGTERM))])
        await loop.stop()
    }

    #if os(Linux)
        /// Whatever it does then takes nothing from our share of the processor.
        @Test func leadsASessionOfItsOwn() async throws {
            // The fields after the name: state, parent, group, session.
            _ = try await start(program("set -- $(sed 's/.*) //' /proc/$$/stat); test $$ = $3 && test $$ = $4"))
            #expect(try await all() == [.ended(.code(0))])
            await loop.stop()
        }
    #endif

    @Test func hasItsEnvironmentItsDirectoryAndNothingElse() async throws {
        let home = try PrivateHome()
        // A descriptor without close-on-exec, as a library may open one.
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        // F_DUPFD takes a free number from 40 on: the loop may have a descriptor 40 of its own.
        let far = fcntl(leak, F_DUPFD, 40)
        #expect(far >= 40)
        defer { close(far) }
        var program = program("echo \"$A\"; pwd; for f in /proc/self/fd/*; do echo ${f##*/}; done; ps -o pgid= -p $$")
        program.directory = home.path
        let child = try await start(program)
        let said = try await all().compactMap { event -> String? in
            guard case .output(let line) = event else { return nil }
            return String(decoding: line.bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        // The shell may have the listed directory open as descriptor 3.
        #expect(said.filter { $0 != "3" } == ["b c", home.path, "0", "1", "2", "\(child.pid)"])
        await loop.stop()
    }

    @Test func aMissingProgramOrDirectoryIsAnError() async throws {
        await #expect(throws: SystemError(code: ENOENT)) {
            _ = try await start(Program(path: "/none", words: ["none"], environment: [:]))
        }
        var elsewhere = program("true")
        elsewhere.directory = "/none"
        let wrong = elsewhere
        await #expect(throws: SystemError(code: ENOENT)) { _ = try await start(wrong) }
        await loop.stop()
    }

    @Test func aLongLineIsCutAndTheNextOneIsWhole() async throws {
        var program = program("printf '%0100d\\nend\\n' 0")
        program.longestLine = 10
        _ = try await start(program)
        #expect(
            try await all() == [
                .output(Self.line("0000000000", isCut: true)), .output(Self.line("end")), .ended(.code(0)),
            ])
        await loop.stop()
    }

    @Test func whatIsWrittenArrivesHoweverMuchItIs() async throws {
        let child = try await start(program("cat"))
        let line = String(repeating: "x", count: 1 << 20)
        #expect(await loop.run { child.write(Array((line + "\n").utf8)) })
        await loop.run { child.closeInput() }
        #expect(await loop.run { !child.write([1]) })
        #expect(try await all() == [.output(Self.line(line)), .ended(.code(0))])
        await loop.stop()
    }

    @Test func inputThatNobodyReadsIsRefusedPastItsCeiling() async throws {
        var program = program("exec sleep 60")
        program.mostInput = 100_000
        let child = try await start(program)
        #expect(await loop.run { child.write([UInt8](repeating: 1, count: 100_000)) })
        #expect(await loop.run { !child.write([UInt8](repeating: 1, count: 100_000)) })
        await loop.run { child.end([SIGKILL]) }
        #expect(try await all() == [.ended(.signal(SIGKILL))])
        await loop.stop()
    }

    /// A paused reader leaves the child waiting and loses no output, even if the child has ended meanwhile.
    @Test(arguments: [1, 4000])
    func aPausedReaderLosesNothing(count: Int) async throws {
        let loop = loop
        let paused = Events<Subprocess.Event>()
        let program = program("i=0; while [ $i -lt \(count) ]; do echo a line of some length $i; i=$((i+1)); done")
        let child = try await loop.run { () throws(SystemError) in
            let child = try Subprocess(program, on: loop) { paused.add($0) }
            child.pause()
            return child
        }
        // Running twenty other programs takes long enough for the paused child to end.
        for _ in 0..<20 {
            _ = try await start(self.program("true"))
            #expect(try await all() == [.ended(.code(0))])
        }
        await loop.run {
            paused.add(.errors(Self.line("resumed")))
            child.resume()
        }
        let said = try await paused.next(count + 2)
        #expect(said.first == .errors(Self.line("resumed")))
        #expect(said[count] == .output(Self.line("a line of some length \(count - 1)")))
        #expect(said.last == .ended(.code(0)))
        await loop.stop()
    }

    @Test func whoeverStillHoldsThePipesIsNotWaitedFor() async throws {
        _ = try await start(program("sleep 60 & echo $!; exit 0"))
        let said = try await all()
        #expect(said.count == 2 && said.last == .ended(.code(0)))
        guard case .output(let line) = said.first else { return }
        let other = try #require(Int32(String(decoding: line.bytes, as: UTF8.self)))
        #expect(kill(other, SIGKILL) == 0, "it lives on")
        await loop.stop()
    }

    @Test(arguments: [
        ("trap '' INT TERM; sleep 1000 & echo $!; wait; wait; sleep 1000", SIGKILL),
        // The group's leader ends by the signal, its child ignores the signal.
        ("(trap '' INT TERM; exec sleep 1000) & echo $!; exec sleep 1000", SIGINT),
    ])
    func whoHearsNoSignalIsKilledWithItsGroup(script: String, signal: Int32) async throws {
        var program = program(script)
        // The child's own child holds the pipes open while it lives, so `ended` comes only once both are gone.
        program.mostWaitForRest = .seconds(1000)
        let child = try await start(program)
        guard case .output = try await events.next() else { return }
        await loop.run { child.end(patience: .milliseconds(20)) }
        #expect(try await all() == [.ended(.signal(signal))])
        await loop.stop()
    }

    @Test func aHundredAtOnce() async throws {
        for _ in 0..<100 { _ = try await start(program("echo x")) }
        var ended = 0
        while ended < 100 { if case .ended(.code(0)) = try await events.next() { ended += 1 } }
        await loop.stop()
    }
}

@Suite("Lines of a stream")
struct LineBufferTests {
    @Test("the same lines however they are cut", arguments: 1...7)
    func pieces(size: Int) {
        let text = Array("a\n\nbc\n0123456789\n01234567890\nrest".utf8)
        var buffer = LineBuffer(limit: 10)
        var lines: [LineBuffer.Line] = []
        for start in stride(from: 0, to: text.count, by: size) {
            lines += buffer.append(text[start..<min(start + size, text.count)])
        }
        if let last = buffer.finish() { lines.append(last) }
        #expect(
            lines.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "a", "", "bc", "0123456789", "0123456789", "rest",
            ])
        #expect(lines.map(\.isCut) == [false, false, false, false, true, false])
    }
}
