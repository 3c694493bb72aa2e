import Core
import OrderedJSON
import Services
import Wire

/// The answer to a request that brought a secret.
struct TokenAnswer: Sendable {
    let response: HTTPResponse
    /// True if the secret was wrong; such answers are rate-limited.
    let isWrongSecret: Bool

    static func right(_ response: HTTPResponse) -> TokenAnswer {
        TokenAnswer(response: response, isWrongSecret: false)
    }

    /// Takes a 401 for the answer to a wrong secret.
    static func checked(_ response: HTTPResponse) -> TokenAnswer {
        TokenAnswer(response: response, isWrongSecret: response.status == .unauthorized)
    }
}

/// Exchanges pairing secrets for tokens, refreshes tokens, and revokes them.
struct TokenRequests: Sendable {
    let devices: DeviceManager
    let pairing: PairingManager
    let refusals: RefusalLog

    func exchange(_ body: JSONObject, at address: String) async -> TokenAnswer {
        guard let token = body["pairing_token"]?.stringValue, !token.isEmpty else {
            return .right(.error(.badRequest, #"send {"pairing_token": …, "name": …, "platform": …}"#))
        }
        let candidate = PairingCandidate(
            name: DeviceName.cleaned(body["name"]?.stringValue),
            platform: DeviceName.cleaned(body["platform"]?.stringValue) ?? "", address: address)
        return .checked(answer(to: await pairing.exchange(token, by: candidate), at: address))
    }

    private func answer(to outcome: PairingManager.Exchanged, at address: String) -> HTTPResponse {
        switch outcome {
        case .credentials(let credentials): return .json(.object(credentials.listing))
        case .failed(.store): return Self.unrecorded
        case .failed:
            return .error(.conflict, "there is no room for another device; revoke one with `cdev devices revoke`")
        case .refused(let why):
            refusals.warn("pairing refused", ["why": "\(why)", "at": address])
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

    /// The cause is only logged, because the sender may be anybody.
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

    func refresh(_ body: JSONObject, at address: String) async -> TokenAnswer {
        guard let token = body["refresh_token"]?.stringValue, !token.isEmpty else { return Self.noRefreshToken }
        switch await devices.refresh(token, at: address) {
        case .credentials(let credentials): return .right(.json(.object(credentials.listing)))
        case .refused(let why): return .checked(.error(.unauthorized, why))
        case .store: return .right(Self.unrecorded)
        }
    }

    /// An unknown token is no error (RFC 7009 section 2.2), but it counts as a wrong secret.
    func revoke(_ body: JSONObject) async -> TokenAnswer {
        guard let token = body["refresh_token"]?.stringValue, !token.isEmpty else { return Self.noRefreshToken }
        let done = HTTPResponse.json(["success": true, "orphaned_workspaces": []])
        switch await devices.signOut(token) {
        case .done: return .right(done)
        case .failed(let message): return .right(.error(.serviceUnavailable, message))
        case .unknown: return TokenAnswer(response: done, isWrongSecret: true)
        }
    }

    private static let noRefreshToken = TokenAnswer.right(.error(.badRequest, #"send {"refresh_token": …}"#))

    func type(_ body: JSONObject, at address: String) -> HTTPResponse {
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
