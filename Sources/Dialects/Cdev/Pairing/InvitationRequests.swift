import Core
import OrderedJSON
import Services
import Wire

/// The requests by which the user at this machine pairs devices, and by which clients find the daemon's addresses.
struct InvitationRequests: Sendable {
    private let pairing: PairingManager
    private let broker: Broker
    /// Draws a text as a QR code: a PNG of at most the given number of pixels on one side; nil if that fails.
    private let draw: @Sendable (String, Int) -> [UInt8]?

    /// Pixels on one side.
    private static let pictureSize = 512

    private static let noInvitation = HTTPResponse.error(.serviceUnavailable, "no invitation could be made")

    init(pairing: PairingManager, broker: Broker, picture: @escaping @Sendable (String, Int) -> [UInt8]?) {
        self.pairing = pairing
        self.broker = broker
        draw = picture
    }

    func settle(_ request: HTTPRequest, isApproved: Bool) async -> HTTPResponse {
        switch RequestBody.object(request) {
        case .failure(let refusal): return refusal.response
        case .success(let body): return await settle(body, isApproved: isApproved)
        }
    }

    private func settle(_ body: JSONObject, isApproved: Bool) async -> HTTPResponse {
        guard let id = body["request_id"]?.stringValue else { return .error(.badRequest, #"send {"request_id": …}"#) }
        guard await pairing.settle(id, approved: isApproved) != nil else {
            return .error(.notFound, "no device waits under this id any more")
        }
        return .json(["success": true, "request_id": .string(id)])
    }

    func pending() async -> HTTPResponse {
        let requests = await pairing.pending().requests
        return .json([
            "requests": .array(requests.map { .object($0.listing) }), "count": .number(JSONNumber(requests.count)),
        ])
    }

    func invite() async -> HTTPResponse {
        guard let invitation = await invitation() else { return Self.noInvitation }
        return .json([
            "token": .string(invitation.token), "expires_at": .string(invitation.offer.expiresAt.rfc3339),
            "message": "good for one device, for two minutes",
        ])
    }

    /// The daemon's addresses; with `include_token` a pairing token too, only for the user at this machine.
    func info(_ request: HTTPRequest, _ caller: Caller) async -> HTTPResponse {
        var info = Self.facts(base: pairing.base())
        guard request.asks("include_token") else { return .json(.object(info)) }
        guard caller.may(.administer) else {
            if caller.isAgent, case .local(let pid) = caller.identity {
                await broker.agentRefused(method: request.path, pid: pid)
            }
            return .error(.forbidden, "a token is given to the user at the machine itself only: use `cdev pair` there")
        }
        guard let invitation = await invitation() else { return Self.noInvitation }
        info["token"] = .string(invitation.token)
        info["token_expires_at"] = .string(invitation.offer.expiresAt.rfc3339)
        return .json(.object(info))
    }

    private static func facts(base: String) -> JSONObject {
        let socket = (base.hasPrefix("https:") ? "wss:" : "ws:") + base.drop { $0 != "/" } + "/ws"
        return ["ws": .string(socket), "http": .string(base), "session": "", "repo": "", "auth_required": true]
    }

    /// A PNG of an invitation, at most `size` pixels wide. It holds the JSON that clients of older servers scan, or
    /// with `?format=link` the link.
    func picture(_ request: HTTPRequest) async -> HTTPResponse {
        guard let invitation = await invitation() else { return Self.noInvitation }
        var facts = Self.facts(base: pairing.base())
        facts["token"] = .string(invitation.token)
        let text = request.asks("format", "link") ? invitation.url : JSON.object(facts).serialized()
        let size = min(request.query("size").flatMap { Int($0) } ?? Self.pictureSize, Self.pictureSize)
        guard let png = draw(text, size) else {
            return .error(.serviceUnavailable, "the picture could not be drawn")
        }
        return HTTPResponse(.ok, headers: ["Content-Type": "image/png"], body: png)
    }

    private func invitation() async -> PairingInvitation? {
        try? await pairing.start(name: nil, level: .approve)
    }
}
