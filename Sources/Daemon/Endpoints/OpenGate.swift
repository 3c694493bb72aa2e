import Core
import Transport
import Wire

/// What stands before the files that are the same for everybody: no more of a body than small, and not without end. A
/// page is some sixty files, and a reload asks for all of them again.
struct OpenGate: Sendable {
    let door: Door

    /// Fifty loads of the page.
    private let perNetwork = RateLimiter(perMinute: 3000)
    private let overall = RateLimiter(perMinute: 30_000)

    init(door: Door) {
        self.door = door
    }

    /// The refusal of a GET; nil if it may go on.
    /// - Parameter isFile: Others, which cost nothing, are not counted.
    func refusal(of request: HTTPRequest, isFile: Bool, from peer: Peer) -> HTTPResponse? {
        guard peer.isTCP else { return nil }
        guard request.body.count <= AccessGate.bodyLimit else {
            return .error(.contentTooLarge, "a body has at most \(AccessGate.bodyLimit) bytes here")
        }
        guard isFile else { return nil }
        let now = door.clock.now()
        let network = AccessGate.network(of: door.address(of: request, from: peer))
        guard perNetwork.take(1, for: network, at: now), overall.take(1, for: "", at: now) else {
            return .error(.tooManyRequests, "too many files in a minute", headers: ["Retry-After": "60"])
        }
        return nil
    }
}
