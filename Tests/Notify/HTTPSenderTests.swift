import Glibc
import Notify
import Testing

/// What is refused before a byte is sent, tested without a server. The rest is in the end-to-end tests.
@Suite(.timeLimit(.minutes(1))) struct HTTPSenderTests {
    private func failure(of request: OutgoingRequest, by sender: HTTPSender = HTTPSender(seconds: 5)) async -> String {
        defer { sender.stop() }
        guard case .failed(let reason) = await sender.send(request) else { return "" }
        return reason
    }

    @Test func aForeignAddressOnThisMachineIsNotConnectedTo() async {
        for host in ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254"] {
            let reason = await failure(of: OutgoingRequest(url: "https://\(host)/x", body: [1], isForeign: true))
            #expect(reason == "its address is in a private network" || host == "[::1]", "\(host): \(reason)")
        }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://127.0.0.1/x"])
    func onlyHTTPIsSpoken(url: String) async {
        #expect(await failure(of: OutgoingRequest(url: url, body: [])).contains("not supported"))
    }

    @Test func aForeignAddressIsSpokenToOverTLSOnly() async {
        #expect(
            await failure(of: OutgoingRequest(url: "http://8.8.8.8/", body: [], isForeign: true)).contains(
                "not supported"))
    }

    @Test func nobodyListens() async {
        #expect(await failure(of: OutgoingRequest(url: "http://127.0.0.1:1/", body: [])).isEmpty == false)
    }

    @Test func whatComesAfterTheEndFails() async {
        let sender = HTTPSender()
        sender.stop()
        #expect(
            await sender.send(OutgoingRequest(url: "http://127.0.0.1:1/", body: []))
                == .failed("the daemon is stopping"))
    }

    @Test func whoSaysNothingIsNotWaitedForWithoutEnd() async throws {
        let mute = try Mute()
        #expect(await failure(of: mute.request, by: HTTPSender(seconds: 0.2)).contains("timed out"))
    }

    /// Eight exchanges run and 64 requests wait; further ones fail at once.
    @Test func whatIsTooMuchFailsAtOnce() async throws {
        let mute = try Mute()
        let sender = HTTPSender(seconds: 600)
        let tooMany = ExchangeResult.failed("too many messages are waiting to be sent")
        let (refused, ended) = await withTaskGroup(of: ExchangeResult.self) { group in
            for _ in 0..<200 { group.addTask { await sender.send(mute.request) } }
            var refused = 0
            var ended: Set<ExchangeResult> = []
            for await result in group {
                if result != tooMany { ended.insert(result) } else { refused += 1 }
                if refused == 128 { sender.stop() }
            }
            return (refused, ended)
        }
        // The thread may not have begun the first eight when the last request came.
        #expect((128...136).contains(refused))
        #expect(ended == [.failed("the daemon is stopping")])
    }
}

/// A listening socket on loopback that takes connections and never answers.
private final class Mute: Sendable {
    private let descriptor: Int32
    let request: OutgoingRequest

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(isOpen)
        request = OutgoingRequest(url: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/", body: [1])
    }

    deinit { close(descriptor) }
}
