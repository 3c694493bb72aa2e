import Core
import Services
import Transport
import Wire

/// What stands before the files that are the same for everybody: no more of a body than small, and not without end. A
/// page is some sixty files, and a reload asks for all of them again.
struct OpenGate: Sendable {
    let authenticator: Authenticator

    /// Fifty loads of the page. Each address alone, and no ceiling for all of them: those of a home may all be of one
    /// network, and no stranger must be able to keep the page from a phone by asking for it.
    private let perAddress = RateLimiter(perMinute: 3000)

    /// The refusal of a GET; nil if it may go on.
    /// - Parameter isFile: Others, which cost nothing, are not counted.
    func refusal(of request: HTTPRequest, isFile: Bool, from peer: Peer) -> HTTPResponse? {
        guard peer.isTCP else { return nil }
        guard request.body.count <= AccessGate.bodyLimit else {
            return .error(.contentTooLarge, "a body has at most \(AccessGate.bodyLimit) bytes here")
        }
        guard isFile else { return nil }
        guard perAddress.take(1, for: authenticator.address(of: request, from: peer), at: authenticator.clock.uptime)
        else {
            return .error(.tooManyRequests, "too many files in a minute", headers: ["Retry-After": "60"])
        }
        return nil
    }
}
