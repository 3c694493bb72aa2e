import Core
import Dialects
import Host
import Services
import Transport
import Wire

/// Determines the caller of a request, once, from peer credentials or a token.
struct Authenticator: Sendable {
    let hosts: RequestGuard
    let proxies: TrustedProxies
    let reach: Reach
    /// True if hooks without a token are taken over TCP. With a listener for other machines, or a proxy before it, a
    /// loopback address no longer proves that the sender is on this machine.
    let takesUnverifiedHooks: Bool
    let devices: DeviceRegister
    let processes: ProcessTable
    let broker: Broker
    let clock: any TimeSource
    let refusals: RefusalLog
    /// Limits unverified hooks, all senders together: any process of this machine, of any user, can send them.
    let unverified = RateLimiter(perMinute: 60)
    /// Bytes of the body of an unverified hook: four times the longest command that a person would read. The limit is
    /// low because its request is stored for weeks.
    static let unverifiedBody = 256 << 10

    /// Limit the hooks of each device, as its reports of sessions are: of every call the input is stored for weeks. A hook
    /// that is refused lets its call run unasked, so the limits are far above what agents send.
    let deviceHooks = RateLimiter(perMinute: 3000)
    let deviceHookBytes = RateLimiter(perMinute: 64 << 20)

    /// The refusal of a request by Host or Origin, or its redirect to TLS; nil if it may go on.
    func refusal(of request: HTTPRequest, from peer: Peer) -> HTTPResponse? {
        guard let refusal = hosts.refusal(of: request, from: peer) else { return redirect(request, from: peer) }
        refusals.warn(
            "request refused",
            [
                "status": "\(refusal.status.code)", "path": Self.cut(request.path),
                "host": Self.cut(request.headers["host"] ?? ""), "origin": Self.cut(request.headers["origin"] ?? ""),
            ])
        return refusal
    }

    /// The beginning of a text that nobody vouches for, as long as those of real requests: a line has a few of them.
    private static func cut(_ text: String) -> String { String(decoding: text.utf8.prefix(200), as: UTF8.self) }

    private func redirect(_ request: HTTPRequest, from peer: Peer) -> HTTPResponse? {
        guard let redirect = reach.redirect(of: request, from: peer) else { return nil }
        let fields: KeyValuePairs = ["path": Self.cut(request.path), "address": address(of: request, from: peer)]
        if request.bearerToken == nil {
            refusals.info("sent on to TLS", fields)
        } else {
            refusals.warn("a token was sent without encryption; revoke it if others could read along", fields)
        }
        return redirect
    }

    /// The address that a request came from, for rate limits and for people to read; never a reason to trust it.
    func address(of request: HTTPRequest, from peer: Peer) -> String {
        proxies.client(of: request, from: peer)
    }

    /// The caller of methods and events: over TCP only a device with a token.
    func caller(of request: HTTPRequest, from peer: Peer) async -> Result<Caller, RefusedRequest> {
        switch peer.endpoint {
        case .unix(_, let pid):
            let isAgent = processes.runsInsideAgent(
                pid, agents: await broker.claudeProcesses, connection: peer.acceptedAt)
            return .success(Caller(identity: .local(pid: pid), rights: isAgent ? .agent : .owner))
        case .tcp:
            guard let token = request.bearerToken else {
                return .failure(
                    Self.unauthorized(
                        "a token is needed: pair with `cdev pair`, or make one with `cdev token create NAME`"))
            }
            return device(token, at: address(of: request, from: peer))
        }
    }

    func device(_ token: String, at address: String) -> Result<Caller, RefusedRequest> {
        guard let owner = devices.owner(of: token, at: address) else {
            refusals.warn("unknown token", ["address": address])
            return .failure(Self.unauthorized("this token is unknown, expired or revoked"))
        }
        return .success(Caller(identity: .device(id: owner.id, name: owner.name), rights: owner.rights))
    }

    static func unauthorized(_ message: String) -> RefusedRequest {
        RefusedRequest(.error(.unauthorized, message, headers: ["WWW-Authenticate": "Bearer"]))
    }
}
