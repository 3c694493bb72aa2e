package import Core
import OrderedJSON
package import Services
import Wire

/// `/api/auth/…` and `/api/pair/…`: how a device gets its tokens. No route here needs a token, but those that admit a
/// device are for the user at this machine alone. The paths are those of older servers, whose clients work here.
package struct PairingRoutes: Sendable {
    private let tokens: TokenRequests
    private let invitations: InvitationRequests
    private let limits: PairingLimits

    /// - Parameters:
    ///   - broker: Is told if a process inside an agent asks for a token.
    ///   - picture: Draws a text as a QR code: a PNG of at most the given number of pixels on one side; nil if that
    ///     fails.
    package init(
        devices: DeviceManager, pairing: PairingManager, broker: Broker, clock: any TimeSource, refusals: RefusalLog,
        picture: @escaping @Sendable (String, Int) -> [UInt8]?
    ) {
        tokens = TokenRequests(devices: devices, pairing: pairing, refusals: refusals)
        invitations = InvitationRequests(pairing: pairing, broker: broker, picture: picture)
        limits = PairingLimits(clock: clock, refusals: refusals)
    }

    package var routes: [Route] {
        [
            open("/api/auth/exchange") { await tokens.exchange($0, at: $1.address) }
                .described(
                    "Trades a pairing token for the device's tokens.", body: .pairingExchange,
                    replies: [
                        .json(200, .credentials), .json(202, .waitingDevice, "Somebody at the machine has to confirm."),
                    ]),
            owner(["POST"], "/api/auth/pairing/approve") { await invitations.settle($0, isApproved: true) }
                .described("Lets a waiting device in.", body: .requestID, result: .settledDevice),
            owner(Route.reading, "/api/auth/pairing/pending") { _ in await invitations.pending() }
                .described("The devices that wait.", result: .waitingDevices),
            owner(["POST"], "/api/auth/pairing/reject") { await invitations.settle($0, isApproved: false) }
                .described("Turns a waiting device away.", body: .requestID, result: .settledDevice),
            open("/api/auth/refresh") { await tokens.refresh($0, at: $1.address) }
                .described("Trades a refresh token for new tokens.", body: .refreshToken, result: .credentials),
            open("/api/auth/revoke") { body, _ in await tokens.revoke(body) }
                .described("Signs the device out.", body: .refreshToken, result: .signedOut),
            open("/api/pair/code", limit: limits.refusalOfCode) { .right(tokens.type($0, at: $1.address)) }
                .described("Trades a typed code for a pairing token.", body: .typedCode, result: .pairingTicket),
            info.described("The daemon's addresses.", query: Self.infoQuery, result: .addresses),
            owner(Route.reading, "/api/pair/qr", invitations.picture)
                .described(
                    "An invitation as a picture.", query: Self.pictureQuery, replies: [.file("image/png", "A QR code.")]
                ),
            owner(["POST"], "/api/pair/refresh") { _ in await invitations.invite() }
                .described("Makes an invitation.", result: .pairingInvitation),
        ]
    }

    private static let infoQuery = [
        FieldDescription(
            name: "include_token", schema: .string, summary: "a pairing token too; on the Unix socket alone",
            isRequired: false)
    ]
    private static let pictureQuery = [
        FieldDescription(
            name: "format", schema: .string, summary: "`link`: the link in place of an object", isRequired: false),
        FieldDescription(name: "size", schema: .integer, summary: "dots on a side, at most 512", isRequired: false),
    ]

    private var info: Route {
        route(Route.reading, "/api/pair/info", for: .anyoneKnown) { request, sender in
            if let refusal = limits.refusalOfInfo(request, sender) { return refusal.response }
            return await invitations.info(request, sender.caller)
        }
    }

    /// A route for senders that bring a secret. Senders over the network are rate-limited.
    private func open(
        _ path: String, limit: @escaping @Sendable (HTTPRequest, Sender) -> RefusedRequest? = { _, _ in nil },
        answer: @escaping @Sendable (JSONObject, Sender) async -> TokenAnswer
    ) -> Route {
        route(["POST"], path, for: .outsideAgents, takesJSONOnly: true) { request, sender in
            if !sender.isLocal, let refusal = limit(request, sender) { return refusal.response }
            switch RequestBody.object(request) {
            case .failure(let refusal): return refusal.response
            case .success(let body):
                let answer = await answer(body, sender)
                guard answer.isWrongSecret, !sender.isLocal else { return answer.response }
                return limits.refusalOfWrongSecret(from: sender)?.response ?? answer.response
            }
        }
    }

    private func owner(
        _ verbs: [String], _ path: String, _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) -> Route {
        route(verbs, path, for: .owner) { request, _ in await answer(request) }
    }

    private func route(
        _ verbs: [String], _ path: String, for admission: Admission, takesJSONOnly: Bool = false,
        _ answer: @escaping @Sendable (HTTPRequest, Sender) async -> HTTPResponse
    ) -> Route {
        Route(
            verbs, path, for: admission, bodyLimit: PairingLimits.body, takesJSONOnly: takesJSONOnly,
            holdsSecrets: true,
            answer: answer)
    }
}
