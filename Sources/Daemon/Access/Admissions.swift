import Core
import Dialects
import Transport
import Wire

/// Checks if a sender may use a route.
extension Authenticator {
    func admit(
        _ request: HTTPRequest, from peer: Peer, to admission: Admission
    ) async -> Result<Sender, RefusedRequest> {
        switch admission {
        case .anyone: .success(sender(.nobody, request, peer))
        case .anyoneKnown:
            .success(sender((try? await caller(of: request, from: peer).get()) ?? .nobody, request, peer))
        case .anyoneOrDevice:
            request.bearerToken == nil
                ? .success(sender(.nobody, request, peer))
                : .success(sender((try? await caller(of: request, from: peer).get()) ?? .nobody, request, peer))
        case .caller: await caller(of: request, from: peer).map { sender($0, request, peer) }
        case .hook: admitHook(request, from: peer)
        case .outsideAgents, .owner: await admitOutsideAgents(request, from: peer, isForOwner: admission == .owner)
        }
    }

    private func sender(_ caller: Caller, _ request: HTTPRequest, _ peer: Peer) -> Sender {
        Sender(
            caller: caller, address: address(of: request, from: peer), isLocal: !peer.isTCP,
            connection: peer.connectionID)
    }

    /// Refuses processes inside an agent, which must not pair devices; routes of the owner are refused over TCP too,
    /// because a device must not pair another.
    private func admitOutsideAgents(
        _ request: HTTPRequest, from peer: Peer, isForOwner: Bool
    ) async -> Result<Sender, RefusedRequest> {
        guard !peer.isTCP else {
            guard isForOwner else { return .success(sender(.nobody, request, peer)) }
            let message = "this is for the user at the machine itself: use `cdev pair` there"
            return .failure(RefusedRequest(.error(.forbidden, message)))
        }
        let caller = await caller(of: request, from: peer)
        guard case .success(let found) = caller, found.isAgent, case .local(let pid) = found.identity else {
            return caller.map { sender($0, request, peer) }
        }
        await broker.agentRefused(method: request.path, pid: pid)
        return .failure(RefusedRequest(.error(.forbidden, "a process inside an agent may let nobody in")))
    }

    // MARK: Hooks

    /// Admits the sender of a hook; one without proof to be the user's becomes an `unverified` caller. Not async, so
    /// that hooks keep their order.
    func admitHook(_ request: HTTPRequest, from peer: Peer) -> Result<Sender, RefusedRequest> {
        switch peer.endpoint {
        case .unix(_, let pid):
            return .success(sender(Caller(identity: .local(pid: pid), rights: [.report]), request, peer))
        case .tcp(_, let isLoopback):
            guard let token = request.bearerToken else {
                return refusalOfUnverifiedHook(request, isLoopback: isLoopback).map { .failure($0) }
                    ?? .success(sender(Caller(identity: .unverified, rights: [.report]), request, peer))
            }
            return device(token, at: address(of: request, from: peer)).flatMap { caller in
                guard caller.may(.report) else {
                    return .failure(RefusedRequest(.error(.forbidden, "a device with view rights may send no hooks")))
                }
                return refusalOfHook(request, of: caller).map { .failure($0) }
                    ?? .success(sender(caller, request, peer))
            }
        }
    }

    private func refusalOfHook(_ request: HTTPRequest, of device: Caller) -> RefusedRequest? {
        let (id, now) = (device.deviceID ?? "", clock.uptime)
        guard deviceHooks.take(1, for: id, at: now), deviceHookBytes.take(request.body.count, for: id, at: now) else {
            let message = "more than 3000 hooks, or 64 MiB of them, of one device in a minute"
            return RefusedRequest(.error(.tooManyRequests, message, headers: ["Retry-After": "60"]))
        }
        return nil
    }

    private func refusalOfUnverifiedHook(_ request: HTTPRequest, isLoopback: Bool) -> RefusedRequest? {
        guard takesUnverifiedHooks else {
            return Self.unauthorized(
                "hooks over HTTP need a token here, for this port may be reached from elsewhere; use the Unix "
                    + "socket, a token, or set http_hooks to true")
        }
        let hasSecret = request.headers["authorization"] != nil || request.headers["x-api-key"] != nil
        guard !hasSecret, isLoopback, !request.isFromBrowserOrForwarded else {
            return Self.unauthorized("hooks from elsewhere need a token: create one with `cdev token create NAME`")
        }
        guard unverified.take(1, for: "", at: clock.uptime) else {
            let message = "more than 60 hooks without a token in a minute"
            return RefusedRequest(.error(.tooManyRequests, message, headers: ["Retry-After": "60"]))
        }
        guard request.body.count <= Self.unverifiedBody else {
            let message =
                "a hook without a token has at most \(Self.unverifiedBody) bytes; send it over the Unix socket, or with "
                + "a token from `cdev token create NAME`"
            return RefusedRequest(.error(.contentTooLarge, message))
        }
        return nil
    }
}

extension Caller {
    /// The sender of a request that needs no proof; it has no rights.
    fileprivate static let nobody = Caller(identity: .unverified, rights: [])
}
