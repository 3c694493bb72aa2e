import Glibc
import Testing

/// Without an answer that may be passed on, the relay prints nothing, or the refusal with `--on-failure block`.
@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    static let short = ["--first-byte-ms", "1000", "--search-ms", "150", "--grace-ms", "150"]
    static let ok = "HTTP/1.1 200 OK\r\n"

    /// A response of the daemon, and words of the relay's report about it.
    static let replies: [(text: String, says: String)] = [
        ("", "silent"),
        ("HTTP/1.1 102 Processing\r\nCdev-Deadline: 0\r\n\r\n", "in time"),
        ("HTTP/1.1 102 Processing\r\n\r\n", "in time"),
        ("HTTP/1.1 102 Processing\r\nCdev-Deadline: soon\r\n\r\n", "in time"),
        ("HTTP/1.1 102 Processing\r\nCdev-Deadline: -5\r\n\r\n", "in time"),
        ("HTTP/1.1 100 Continue\r\n\r\n", "in time"),
        (ok + "Content-Length: 20\r\n\r\n{", "in time"),
        ("HT", "in time"),
        ("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}", "status 500"),
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}", "status 503"),
        ("HTTP/1.1 404 Not Found\r\n\r\n", "status 404"),
        ("HTTP/1.1 413 Content Too Large\r\n\r\n", "status 413"),
        ("HTTP/1.1 204 No Content\r\n\r\n", "status 204"),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", "status 302"),
        (ok + "Content-Length: 0\r\n\r\n", "not an answer"),
        (ok + "Content-Length: 2\r\n\r\nok", "not an answer"),
        (ok + "Content-Length: 4\r\n\r\n[{}]", "not an answer"),
        (ok + "Content-Length: 4\r\n\r\nnull", "not an answer"),
        (ok + "Content-Length: 4\r\n\r\n{}{}", "not an answer"),
        (ok + "Content-Length: 7\r\n\r\n{}\nlog\n", "not an answer"),
        (ok + "Content-Length: 7\r\n\r\nlog\n{}\n", "not an answer"),
        (ok + "Content-Length: 9\r\n\r\n{\"a\":\"}\"\n", "not an answer"),
        (ok + "Content-Length: 2\r\n\r\n{}{}", "not an answer"),
        (ok + "Content-Length: 2\r\n\r\n{}\n", "not an answer"),
        (ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "not an answer"),
        (ok + "Content-Length: -2\r\n\r\n{}", "not an answer"),
        (ok + "Content-Length: 2, 2\r\n\r\n{}", "not an answer"),
        (ok + "Content-Length: 99999999999999999999\r\n\r\n{}", "not an answer"),
        (ok + "Content-Length: 10485761\r\n\r\n{", "larger than 10 MiB"),
        (ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "not an answer"),
        (ok + "Content-Length : 2\r\n\r\n{}", "not an answer"),
        (ok + "X: a\r\n folded\r\nContent-Length: 2\r\n\r\n{}", "not an answer"),
        (ok + "X: a\nContent-Length: 2\r\n\r\n{}", "not an answer"),
        (ok + "nothing\r\n\r\n{}", "not an answer"),
        (ok + ": nothing\r\n\r\n{}", "not an answer"),
        (ok + "X: " + String(repeating: "x", count: 17_000) + "\r\n\r\n{}", "not an answer"),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "not an answer"),
        ("HTTP/2 200\r\nContent-Length: 2\r\n\r\n{}", "not an answer"),
        ("HTTP/1.1 2000 OK\r\n\r\n{}", "not an answer"),
        ("HTTP/1.1 099 OK\r\n\r\n{}", "not an answer"),
        ("\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n", "not an answer"),
        ("{\"hookSpecificOutput\":{}}\r\n\r\n{}", "not an answer"),
        (AnswerTests.allow, "in time"),
    ]

    @Test(arguments: replies.indices)
    func whatIsNoAnswerIsNotPassedOn(_ number: Int) async throws {
        let reply = Self.replies[number]
        let scene: ScriptedDaemon.Scene = {
            $0.readRequest()
            $0.send(reply.text)
            $0.waitUntilGone()
        }
        let daemon = try ScriptedDaemon([scene, scene, scene])
        try await expectFailure(Self.short + ["--socket", daemon.path], says: reply.says)
        _ = await daemon.received
    }

    /// A body that the end of the connection ends must be one whole object.
    @Test(
        arguments: ["", "ok", "[{}]", "null", "x{}"].map { ($0, "not an answer") }
            + ["{}{}", "{} x", "{\"a\":1", "{\"a\":\"}", "{\"a\":[1}", "{]"].map { ($0, "did not come back") })
    func aBodyThatEndsWithTheConnectionMustBeAnObject(_ body: String, _ says: String) async throws {
        let daemon = try ScriptedDaemon([]) {
            $0.readRequest()
            $0.send(Self.ok + "\r\n" + body)
        }
        defer { daemon.stop() }
        // Only the search is shortened: on a busy machine the first byte may take long.
        try await expectFailure(["--search-ms", "100", "--socket", daemon.path], says: says)
    }

    @Test func anAnswerOver10MiBIsNotPassedOn() async throws {
        let body = #"{"a":""# + String(repeating: "x", count: 10 << 20) + #""}"#
        let scene: ScriptedDaemon.Scene = {
            $0.readRequest()
            $0.send(Self.ok + "\r\n" + body)
        }
        let daemon = try ScriptedDaemon([scene, scene, scene])
        try await expectFailure(["--socket", daemon.path], says: "larger than 10 MiB")
    }

    /// An answer to a request that the daemon did not read completely does not count, but an error status is reported.
    @Test func anAnswerBeforeTheRequestIsRead() async throws {
        let input = preToolUse + String(repeating: " ", count: 4 << 20)
        let early = try ScriptedDaemon([], others: { $0.answer(AnswerTests.allow) })
        defer { early.stop() }
        expectNoOpinion(await runRelay(Self.short + ["--socket", early.path], input: input))
        let refusing = try ScriptedDaemon([], others: { $0.send("HTTP/1.1 413 Content Too Large\r\n\r\n") })
        defer { refusing.stop() }
        let outcome = await runRelay(Self.short + ["--socket", refusing.path], input: input)
        expectNoOpinion(outcome)
        #expect(outcome.errors.contains("status 413"))
    }

    @Test func noSocket() async throws {
        let directory = try Directory()
        // The relay fails at once: it does not search for a daemon that was not there from the start.
        let none = ["--socket", directory.path + "/none.sock", "--search-ms", "50000"]
        try await expectFailure(none, says: "no daemon listens")
        let stale = directory.path + "/stale.sock"
        let descriptor = boundSocket(stale)
        defer { close(descriptor) }
        try await expectFailure(["--socket", stale], says: "no daemon listens")
        try await expectFailure(["--socket", directory.path], says: "no daemon listens")
        try await expectFailure(["--socket", "/" + String(repeating: "x", count: 108)], says: "too long")
    }

    @Test func inputThatCannotBeSent() async throws {
        let directory = try Directory()
        let options = ["--socket", directory.path + "/none.sock"]
        let much = preToolUse + String(repeating: " ", count: 10 << 20)
        let outcome = await runRelay(options, input: much)
        expectNoOpinion(outcome)
        #expect(outcome.errors.contains("larger than 10 MiB"))
        try expectRefusal(await runRelay(options + ["--on-failure", "block"], input: much))
        expectNoOpinion(await runRelay(options, input: ""))
        try expectRefusal(await runRelay(options + ["--on-failure", "block"], input: ""))
    }

    /// Another user's process that listens on the socket may not answer.
    @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
    func anotherUsersDaemonIsNotHeard() async throws {
        let daemon = try ScriptedDaemon([RestartTests.answer, RestartTests.answer])
        defer { daemon.stop() }
        chmod(daemon.path, 0o777)
        chmod(daemon.directory.path, 0o755)
        let words = ["--reuid=65534", "--clear-groups", relay, "--socket", daemon.path]
        let outcome = await run("/usr/bin/setpriv", words)
        expectNoOpinion(outcome)
        #expect(outcome.errors.contains("another user"))
        try expectRefusal(await run("/usr/bin/setpriv", words + ["--on-failure", "block"]))
    }

    private func expectFailure(_ options: [String], says: String) async throws {
        let outcome = await runRelay(options)
        expectNoOpinion(outcome)
        #expect(outcome.errors.hasPrefix("cdev-hook: ") && outcome.errors.contains(says), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        try expectRefusal(await runRelay(options + ["--on-failure", "block"]))
        let asked = await runRelay(options + ["--on-failure", "block"], input: permissionRequest)
        #expect(asked.output == "{}")
        #expect(asked.status == 0)
    }
}
