import Foundation
import Loop
import TestSupport
import Testing
import Transport
import Wire

/// Listeners: who may open one, and what is left behind.
@Suite(.timeLimit(.minutes(1)))
struct ListeningTests {
    private func withTwoServers(_ body: (Server, Server, String) async throws -> Void) async throws {
        try await withDirectory { directory in
            let loop = try EventLoop()
            let first = Server(loop: loop, limits: .test(), handler: TestHandler())
            let second = Server(loop: loop, limits: .test(), handler: TestHandler())
            let result = await Result { try await body(first, second, directory) }
            await first.stop()
            await second.stop()
            await loop.stop()
            try result.get()
        }
    }

    private func mode(of path: String) -> UInt16? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.uint16Value
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    private func makeStaleSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        close(descriptor)
    }

    @Test func theSocketIsPrivateAndGoesWithItsServer() async throws {
        try await withTwoServers { server, _, directory in
            let path = directory + "/new/s"
            try await server.listen(unix: path)
            #expect(mode(of: path) == 0o600)
            #expect(mode(of: directory + "/new") == 0o700)
            await server.stop()
            #expect(!exists(path))
        }
    }

    @Test func aServedSocketIsNotTaken() async throws {
        try await withTwoServers { first, second, directory in
            let path = directory + "/s"
            try await first.listen(unix: path)
            await #expect(throws: ListenError.socketInUse(path: path, holder: getpid())) {
                try await second.listen(unix: path)
            }
            let client = try TestClient(unix: path)
            try await client.send(request("POST", "/", body: "still here"))
            #expect(try await client.response().text == "still here")
        }
    }

    @Test func aSocketServedWithoutTheLockIsNotTaken() async throws {
        try await withTwoServers { first, second, directory in
            let path = directory + "/s"
            try await first.listen(unix: path)
            try FileManager.default.removeItem(atPath: path + ".lock")
            await #expect(throws: ListenError.socketInUse(path: path, holder: nil)) {
                try await second.listen(unix: path)
            }
        }
    }

    @Test func aStaleSocketIsReplaced() async throws {
        try await withTwoServers { server, _, directory in
            let path = directory + "/s"
            try makeStaleSocket(path)
            try await server.listen(unix: path)
            let client = try TestClient(unix: path)
            try await client.send(request("POST", "/", body: "new"))
            #expect(try await client.response().text == "new")
        }
    }

    @Test func theSocketOfAnotherIsLeftAtTheStop() async throws {
        try await withTwoServers { first, _, directory in
            let path = directory + "/s"
            try await first.listen(unix: path)
            try FileManager.default.removeItem(atPath: path)
            try makeStaleSocket(path)
            await first.stop()
            #expect(exists(path))
        }
    }

    /// How the socket's file, its lock or their directory can go while a server uses them.
    static let losses: [(name: String, lose: @Sendable (String) throws -> Void)] = [
        ("the socket", { try FileManager.default.removeItem(atPath: $0 + "/s") }),
        ("the lock", { try FileManager.default.removeItem(atPath: $0 + "/s.lock") }),
        ("the directory", { try FileManager.default.removeItem(atPath: $0) }),
        ("another file for the lock", { try Data().write(to: URL(fileURLWithPath: $0 + "/s.lock"), options: .atomic) }),
        ("its name", { try FileManager.default.moveItem(atPath: $0 + "/s", toPath: $0 + "/t") }),
    ]

    @Test(arguments: losses.indices) func aLostSocketIsMadeAnew(_ index: Int) async throws {
        try await withTwoServers { first, second, directory in
            let path = directory + "/home/s"
            try await first.listen(unix: path)
            #expect(try await !first.restoreUnixSocket())
            let before = try TestClient(unix: path)
            try Self.losses[index].lose(directory + "/home")
            #expect(try await first.restoreUnixSocket(), "\(Self.losses[index].name)")
            #expect(try await !first.restoreUnixSocket())
            for client in [before, try TestClient(unix: path)] {
                try await client.send(request("POST", "/", body: "here"))
                #expect(try await client.response().text == "here")
            }
            #expect(mode(of: path) == 0o600)
            await #expect(throws: ListenError.socketInUse(path: path, holder: getpid())) {
                try await second.listen(unix: path)
            }
            await first.stop()
            #expect(!exists(path))
            try await second.listen(unix: path)
        }
    }

    @Test func aStaleSocketInItsPlaceIsReplaced() async throws {
        try await withTwoServers { server, _, directory in
            let path = directory + "/s"
            try await server.listen(unix: path)
            try FileManager.default.removeItem(atPath: path)
            try makeStaleSocket(path)
            #expect(try await server.restoreUnixSocket())
            let client = try TestClient(unix: path)
            try await client.send(request("POST", "/", body: "mine"))
            #expect(try await client.response().text == "mine")
        }
    }

    @Test func whatElseStandsInItsPlaceIsLeftAlone() async throws {
        try await withTwoServers { first, second, directory in
            let path = directory + "/s"
            try await first.listen(unix: path)
            try FileManager.default.removeItem(atPath: path)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: ListenError.notASocket(path: path)) { try await first.restoreUnixSocket() }
            for file in [path, path + ".lock"] { try FileManager.default.removeItem(atPath: file) }
            try await second.listen(unix: path)
            await #expect(throws: ListenError.socketInUse(path: path, holder: getpid())) {
                try await first.restoreUnixSocket()
            }
            await first.stop()
            #expect(exists(path), "it is the second server's")
        }
    }

    @Test func whatIsNotASocketIsLeftAlone() async throws {
        try await withTwoServers { server, _, directory in
            let path = directory + "/s"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: ListenError.notASocket(path: path)) { try await server.listen(unix: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test func aDirectoryOthersWriteToIsRefused() async throws {
        try await withTwoServers { server, _, directory in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory)
            await #expect(throws: ListenError.directoryNotPrivate(path: directory, owner: getuid(), mode: 0o777)) {
                try await server.listen(unix: directory + "/s")
            }
        }
    }

    @Test func aPathTheKernelCannotHoldIsRefusedWithItsLimit() async throws {
        try await withTwoServers { server, _, directory in
            let path = directory + "/" + String(repeating: "x", count: 120)
            await #expect(throws: ListenError.pathTooLong(path: path, bytes: path.utf8.count, limit: 107)) {
                try await server.listen(unix: path)
            }
        }
    }

    @Test func localhostIsServedOnOneFreePort() async throws {
        try await withTwoServers { server, _, _ in
            let addresses = try await server.listen(tcp: "localhost", port: 0)
            let port = try #require(addresses.first).port
            #expect(port > 0)
            #expect(addresses.allSatisfy { $0.port == port && $0.isLoopback })
            #expect(addresses.contains { $0.description == "127.0.0.1:\(port)" })
            let client = try TestClient(port: port)
            try await client.send(request("POST", "/", body: "tcp"))
            #expect(try await client.response().text == "tcp")
        }
    }

    @Test func aTakenPortIsSaid() async throws {
        try await withTwoServers { first, second, _ in
            let port = try await first.listen(tcp: "127.0.0.1", port: 0)[0].port
            await #expect(throws: ListenError.addressInUse(host: "127.0.0.1", port: port)) {
                try await second.listen(tcp: "127.0.0.1", port: port)
            }
        }
    }

    /// 192.0.2.0/24 is for documentation (RFC 5737): no machine has such an address.
    @Test func anAddressOfAnotherMachineIsSaid() async throws {
        try await withTwoServers { server, _, _ in
            let error = await #expect(throws: ListenError.self) { try await server.listen(tcp: "192.0.2.1", port: 0) }
            #expect(error?.description.hasPrefix("listening on 192.0.2.1 port 0: ") == true)
        }
    }

    /// A label has at most 63 bytes (RFC 1035 section 2.3.4): no server of names is asked for this one.
    @Test func anUnknownHostIsSaid() async throws {
        try await withTwoServers { server, _, _ in
            let host = String(repeating: "x", count: 64) + ".invalid"
            await #expect(throws: ListenError.unknownHost(host)) { try await server.listen(tcp: host, port: 0) }
        }
    }

    @Test(arguments: [
        (ListenError.socketInUse(path: "/s", holder: 7), "another process (7) already serves /s"),
        (.addressInUse(host: "::1", port: 5), "port 5 of ::1 is in use"),
        (.pathTooLong(path: "/s", bytes: 2, limit: 1), "has 2 bytes and may have 1"),
    ])
    func errorsSayWhatToDo(_ error: ListenError, _ part: String) {
        #expect(error.description.contains(part))
    }

    @Test func thePeerIsWhatTheKernelSays() async throws {
        let seen = Events<Peer>()
        let handler = TestHandler(onHandle: { _, peer, _ in
            seen.add(peer)
            return HTTPResponse(.ok)
        })
        try await withServer(.test(), handler) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let clients = [try test.client(), try TestClient(port: port)]
            for client in clients {
                try await client.send(request("GET", "/"))
                _ = try await client.response()
            }
            let endpoints = try await seen.next(2).map(\.endpoint)
            #expect(endpoints == [.unix(uid: getuid(), pid: getpid()), .tcp(address: "127.0.0.1", isLoopback: true)])
        }
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
