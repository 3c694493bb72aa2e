import Foundation
import Loop
import Platform
import Testing
import Transport
import Wire

/// A handler made of closures. Without one, `handle` echoes the body and `upgrade` refuses.
struct TestHandler: HTTPHandler {
    typealias Handle = @Sendable (HTTPRequest, Peer, Exchange) async -> HTTPResponse
    typealias Upgrade = @Sendable (HTTPRequest, Peer) async -> UpgradeDecision

    var onHandle: Handle = { request, _, _ in HTTPResponse(.ok, body: request.body) }
    var onUpgrade: Upgrade = { _, _ in .refuse(.error(.notFound, "no WebSocket here")) }

    func handle(_ request: HTTPRequest, from peer: Peer, via exchange: Exchange) async -> HTTPResponse {
        await onHandle(request, peer, exchange)
    }

    func upgrade(_ request: HTTPRequest, from peer: Peer) async -> UpgradeDecision {
        await onUpgrade(request, peer)
    }
}

extension ServerLimits {
    /// Limits under which nothing is late because the machine is busy, but for the times that the test sets.
    static func test(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        .many { limits in
            limits.requestTime = .seconds(600)
            limits.idleTime = .seconds(600)
            limits.writeStallTime = .seconds(600)
            limits.slowClientTime = .seconds(600)
            limits.pongTime = .seconds(600)
            change(&limits)
        }
    }

    /// The limits of every day, for many connections and looked at often.
    static func many(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        limits.sweepInterval = .milliseconds(10)
        limits.connections = 2000
        (limits.newcomers, limits.newcomersOfAddress) = (2000, 2000)
        change(&limits)
        return limits
    }
}

/// Time that passes for a server when the test says so: nothing is late because the machine is busy.
final class TestTime: Sendable {
    private struct State {
        var passed = Duration.zero
        /// Passes whenever the server asks for the time, as it does for each look at its connections.
        var step = Duration.zero
    }

    private let state = Locked(State())
    private let start = ContinuousClock.now

    /// Limits that go by this time.
    func limits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        .many {
            $0.now = { [self] in
                state.withLock { state in
                    state.passed += state.step
                    return start + state.passed
                }
            }
            change(&$0)
        }
    }

    func advance(by duration: Duration) {
        state.withLock { $0.passed += duration }
    }

    /// Lets a second pass whenever the server looks at the time, until `body` returns, for what must end however long it
    /// takes.
    @discardableResult
    func passes<Result: Sendable>(while body: () async throws -> Result) async throws -> Result {
        state.withLock { $0.step = .seconds(1) }
        defer { state.withLock { $0.step = .zero } }
        return try await body()
    }
}

/// A server of its own on a loop of its own, with a Unix socket in a private directory.
struct TestServer: Sendable {
    let loop: EventLoop
    let server: Server
    let path: String

    func client() throws -> TestClient {
        try TestClient(unix: path)
    }
}

func withServer(
    _ limits: ServerLimits = .test(), _ handler: TestHandler = TestHandler(),
    _ body: (TestServer) async throws -> Void
) async throws {
    try await withDirectory { directory in
        let loop = try EventLoop()
        let server = Server(loop: loop, limits: limits, handler: handler)
        let path = directory + "/s"
        let result: Result<Void, any Error>
        do {
            try await server.listen(unix: path)
            result = .success(try await body(TestServer(loop: loop, server: server, path: path)))
        } catch {
            result = .failure(error)
        }
        await server.stop(grace: .milliseconds(200))
        await loop.stop()
        try result.get()
    }
}

extension Server {
    @discardableResult
    func listen(tcp host: String, port: UInt16) async throws(ListenError) -> [TCPAddress] {
        let listeners = try TCPListeners(host: host, port: port)
        await serve(listeners)
        return listeners.addresses
    }
}

func withDirectory(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/cdev-transport-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
}

/// Waits until the task is cancelled.
func waitForCancellation() async {
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    continuation.finish()
}
