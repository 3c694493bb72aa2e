import Core
import Dialects
import OrderedJSON
import QRCode
import Services
import Transport
import Wire

/// `/api/auth/…` and `/api/pair/…`: how a device gets its tokens. Nothing here needs one, but what lets somebody in is
/// for the user at this machine alone.
final class AccessEndpoint: Sendable {
    private let authenticator: Authenticator
    private let devices: DeviceManager
    private let pairing: PairingManager
    private let gate: AccessGate

    init(authenticator: Authenticator, devices: DeviceManager, pairing: PairingManager) {
        self.authenticator = authenticator
        self.devices = devices
        self.pairing = pairing
        gate = AccessGate(authenticator: authenticator)
    }

    func answer(_ route: AccessRoute, _ request: HTTPRequest, from peer: Peer) async -> HTTPResponse {
        var response = await reply(route, request, from: peer)
        // Secrets are in these answers: nothing on the way may keep one.
        response.headers.append("Cache-Control", "no-store")
        return response
    }

    private func reply(_ route: AccessRoute, _ request: HTTPRequest, from peer: Peer) async -> HTTPResponse {
        let address = authenticator.address(of: request, from: peer)
        if let refusal = await trespass(route, request, from: peer) { return refusal.response }
        if peer.isTCP, let refusal = gate.refusal(of: request, for: route, from: address) { return refusal.response }
        switch route {
        case .info: return await info(request, from: peer)
        case .pairingRefresh: return await invite()
        case .pending: return await pending()
        case .qr: return await picture(request)
        case .approve, .exchange, .pairingCode, .refresh, .reject, .revoke:
            switch gate.object(request) {
            case .failure(let refusal): return refusal.response
            case .success(let body):
                let (response, isWrong) = await reply(route, body, at: address)
                guard isWrong, peer.isTCP else { return response }
                return gate.refusalOfWrongSecret(from: address)?.response ?? response
            }
        }
    }

    /// The answer, and whether a secret that opens nothing led to it. Codes are counted before they are looked at.
    private func reply(_ route: AccessRoute, _ body: JSONObject, at address: String) async -> (HTTPResponse, Bool) {
        switch route {
        case .approve: return (await settle(body, approved: true), false)
        case .exchange: return Self.judged(await exchange(body, at: address))
        case .pairingCode: return (type(body, at: address), false)
        case .refresh: return Self.judged(await refresh(body, at: address))
        case .reject: return (await settle(body, approved: false), false)
        default: return await revoke(body)
        }
    }

    private static func judged(_ response: HTTPResponse) -> (HTTPResponse, Bool) {
        (response, response.status == .unauthorized)
    }

    /// A process inside an agent gets nothing that lets anybody in, and a device lets nobody else in.
    private func trespass(_ route: AccessRoute, _ request: HTTPRequest, from peer: Peer) async -> RefusedRequest? {
        guard case .unix = peer.endpoint else {
            guard route.isForOwner else { return nil }
            return RefusedRequest(
                .error(.forbidden, "this is for the user at the machine itself: use `cdev pair` there"))
        }
        guard route != .info, case .success(let caller) = await authenticator.caller(of: request, from: peer),
            caller.isAgent, case .local(let pid) = caller.identity
        else { return nil }
        await authenticator.broker.agentRefused(method: request.path, pid: pid)
        return RefusedRequest(.error(.forbidden, "a process inside an agent may let nobody in"))
    }

    // MARK: Tokens

    private func exchange(_ body: JSONObject, at address: String) async -> HTTPResponse {
        guard let token = body["pairing_token"]?.stringValue, !token.isEmpty else {
            return .error(.badRequest, #"send {"pairing_token": …, "name": …, "platform": …}"#)
        }
        let candidate = PairingCandidate(
            name: DeviceName.cleaned(body["name"]?.stringValue),
            platform: DeviceName.cleaned(body["platform"]?.stringValue) ?? "", address: address)
        switch await pairing.exchange(token, by: candidate) {
        case .credentials(let credentials): return .json(.object(credentials.listing))
        case .failed(.store): return Self.unrecorded
        case .failed:
            return .error(.conflict, "there is no room for another device; revoke one with `cdev devices revoke`")
        case .refused(let why):
            authenticator.refusals.warn("pairing refused", ["why": "\(why)", "at": address])
            return Self.refusal(why)
        case .waiting(let request):
            return .json(
                .accepted,
                [
                    "status": "pending_approval", "request_id": .string(request.id),
                    "expires_at": .string(request.expiresAt.rfc3339),
                ])
        }
    }

    /// Whoever asks may be anybody: why stands in the log.
    private static var unrecorded: HTTPResponse {
        .error(
            .serviceUnavailable,
            "it could not be written down, so it was not done; `cdev status` at the machine says why",
            headers: ["Retry-After": "5"])
    }

    private static func refusal(_ why: PairingBook.Exchanged) -> HTTPResponse {
        switch why {
        case .expired: .error(.gone, "this pairing token has expired; run `cdev pair` again")
        case .rejected: .error(.forbidden, "the user at the machine said no")
        case .spent: .error(.gone, "this pairing token was used already; run `cdev pair` again")
        default: .error(.unauthorized, "this pairing token is unknown; run `cdev pair` again")
        }
    }

    private func refresh(_ body: JSONObject, at address: String) async -> HTTPResponse {
        guard let token = body["refresh_token"]?.stringValue, !token.isEmpty else {
            return .error(.badRequest, #"send {"refresh_token": …}"#)
        }
        switch await devices.refresh(token, at: address) {
        case .credentials(let credentials): return .json(.object(credentials.listing))
        case .refused(let why): return .error(.unauthorized, why)
        case .store: return Self.unrecorded
        }
    }

    /// As RFC 7009 has it, a token that opens nothing is no error.
    private func revoke(_ body: JSONObject) async -> (HTTPResponse, Bool) {
        guard let token = body["refresh_token"]?.stringValue, !token.isEmpty else {
            return (.error(.badRequest, #"send {"refresh_token": …}"#), false)
        }
        let done = HTTPResponse.json(["success": true, "orphaned_workspaces": []])
        switch await devices.signOut(token) {
        case .done: return (done, false)
        case .failed(let message): return (.error(.serviceUnavailable, message), false)
        case .unknown: return (done, true)
        }
    }

    private func type(_ body: JSONObject, at address: String) -> HTTPResponse {
        guard let code = body["code"]?.stringValue else { return .error(.badRequest, #"send {"code": …}"#) }
        switch pairing.type(code, at: address) {
        case .none: return .error(.gone, "no code is open, or it is void; run `cdev pair` again")
        case .token(let token, let end):
            return .json([
                "pairing_token": .string(token), "expires_at": .string(end.rfc3339),
                "expires_in": .number(JSONNumber(Int(PairingBook.lifetime))),
            ])
        case .wrong(let left):
            return .error(
                .unauthorized,
                left > 0 ? "wrong code; \(left) more tries" : "wrong code, and it is void now: run `cdev pair` again")
        }
    }

    // MARK: For the user at this machine

    /// Dots on one side.
    private static let pictureSize = 512

    private func settle(_ body: JSONObject, approved: Bool) async -> HTTPResponse {
        guard let id = body["request_id"]?.stringValue else { return .error(.badRequest, #"send {"request_id": …}"#) }
        guard await pairing.settle(id, approved: approved) != nil else {
            return .error(.notFound, "nobody waits under this id any more")
        }
        return .json(["success": true, "request_id": .string(id)])
    }

    private func pending() async -> HTTPResponse {
        let requests = await pairing.pending().requests
        return .json([
            "requests": .array(requests.map { .object($0.listing) }), "count": .number(JSONNumber(requests.count)),
        ])
    }

    private func invite() async -> HTTPResponse {
        guard let invitation = try? await pairing.start(name: nil, level: .approve) else {
            return .error(.serviceUnavailable, "no invitation could be made")
        }
        return .json([
            "token": .string(invitation.token), "expires_at": .string(invitation.offer.expiresAt.rfc3339),
            "message": "good for one device, for two minutes",
        ])
    }

    /// What a client needs to find its way; a token only for the user at this machine, and only if asked for.
    private func info(_ request: HTTPRequest, from peer: Peer) async -> HTTPResponse {
        var info = Self.facts(base: pairing.base())
        guard request.asks("include_token") else { return .json(.object(info)) }
        let caller = try? await authenticator.caller(of: request, from: peer).get()
        guard let caller, caller.may(.administer) else {
            if let caller, caller.isAgent, case .local(let pid) = caller.identity {
                await authenticator.broker.agentRefused(method: request.path, pid: pid)
            }
            return .error(.forbidden, "a token is given to the user at the machine itself only: use `cdev pair` there")
        }
        guard let invitation = try? await pairing.start(name: nil, level: .approve) else {
            return .error(.serviceUnavailable, "no invitation could be made")
        }
        info["token"] = .string(invitation.token)
        info["token_expires_at"] = .string(invitation.offer.expiresAt.rfc3339)
        return .json(.object(info))
    }

    private static func facts(base: String) -> JSONObject {
        let socket = (base.hasPrefix("https:") ? "wss:" : "ws:") + base.drop { $0 != "/" } + "/ws"
        return ["ws": .string(socket), "http": .string(base), "session": "", "repo": "", "auth_required": true]
    }

    /// A PNG of an invitation, at most `size` dots wide: what clients of older servers scan, or with `?format=link` the
    /// link.
    private func picture(_ request: HTTPRequest) async -> HTTPResponse {
        guard let invitation = try? await pairing.start(name: nil, level: .approve) else {
            return .error(.serviceUnavailable, "no invitation could be made")
        }
        var facts = Self.facts(base: pairing.base())
        facts["token"] = .string(invitation.token)
        let text = request.asks("format", "link") ? invitation.url : JSON.object(facts).serialized()
        let size = min(request.query("size").flatMap { Int($0) } ?? Self.pictureSize, Self.pictureSize)
        guard let code = QRCode(text), let png = code.png(scale: size / code.widthWithMargin) else {
            return .error(.serviceUnavailable, "the picture could not be drawn")
        }
        return HTTPResponse(.ok, headers: ["Content-Type": "image/png"], body: png)
    }
}

extension DeviceCredentials {
    fileprivate var listing: JSONObject {
        [
            "access_token": .string(access), "access_token_expires_at": .string(accessExpiresAt.rfc3339),
            "refresh_token": .string(refresh),
            "refresh_token_expires_at": device.expiresAt.map { .string($0.rfc3339) } ?? .null,
            "token_type": "Bearer", "expires_in": .number(JSONNumber(Int(DeviceBook.accessLifetime))),
            "device_id": .string(device.id), "device_name": .string(device.name), "rights": .rights(device.rights),
        ]
    }
}

extension HTTPRequest {
    /// The first value of `name` in the query; empty where it has none.
    fileprivate func query(_ name: String) -> String? {
        let pairs = (query ?? "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return pairs.first { $0[0] == name }.map { $0.count > 1 ? String($0[1]) : "" }
    }

    /// Whether the query has `name`, with this value: any but `0` and `false` where none is given.
    fileprivate func asks(_ name: String, _ value: String? = nil) -> Bool {
        guard let given = query(name) else { return false }
        return value.map { $0 == given } ?? (given != "0" && given != "false")
    }
}
