package import Core
package import OrderedJSON
import Services
import Wire

extension Method {
    static let pairApprove = Method(
        "pair/approve", right: .administer, isForPeople: true,
        summary: "Lets in a device that typed its code.",
        parameters: [Parameter("request_id", textSchema, "as in event/pairing_requested", isRequired: true)],
        result: "success, request_id, name"
    ) { call async throws(JSONRPCError) in try await settle(call, approved: true) }

    static let pairPending = Method(
        "pair/pending", right: .administer, isForPeople: true,
        summary: "Who waits to be let in, and what became of the offers of the last minutes.",
        result:
            "requests (request_id, offer_id, name, platform, address, access, expires_at), offers (offer_id, state, "
            + "attempts_left, device_id, request_id, expires_at), count"
    ) { call in
        let (offers, requests) = await call.services.pairing.pending()
        return [
            "requests": .array(requests.map { .object($0.listing) }), "count": .count(requests.count),
            "offers": .array(offers.map { .object($0.listing) }),
        ]
    }

    static let pairReject = Method(
        "pair/reject", right: .administer, isForPeople: true,
        summary: "Turns a device away that typed its code, or takes an offer back.",
        parameters: [
            Parameter("request_id", textSchema, "as in event/pairing_requested; or an offer_id", isRequired: true)
        ],
        result: "success, request_id, name"
    ) { call async throws(JSONRPCError) in try await settle(call, approved: false) }

    static let pairStart = Method(
        "pair/start", right: .administer, isForPeople: true,
        summary: "Invites one device, for two minutes: a link to open or scan, and a code to type.",
        parameters: [
            Parameter("name", textSchema, "what to call the device; otherwise as it calls itself"),
            Parameter("rights", enumSchema(AccessLevel.allCases.map(\.rawValue)), "`approve` unless told"),
        ],
        result: "offer_id, token, code, url (these three this once), name, access, expires_at, expires_in"
    ) { call async throws(JSONRPCError) in
        let name = try call.arguments.string("name")
        let level = try call.arguments.choice("rights", of: AccessLevel.allCases) ?? .approve
        do throws(DeviceFailure) {
            return .object(try await call.services.pairing.start(name: name, level: level).listing)
        } catch {
            throw error.rpcError
        }
    }

    private static func settle(_ call: Call, approved: Bool) async throws(JSONRPCError) -> JSON {
        let id = try call.arguments.required("request_id", "as in event/pairing_requested")
        switch await call.services.pairing.settle(id, approved: approved) {
        case .cancelled: return ["success": true, "request_id": .string(id), "name": .null]
        case .request(let request):
            return ["success": true, "request_id": .string(id), "name": .string(request.name)]
        case nil: throw .internalError("nobody waits under \"\(id.prefix(80))\" any more; start again with `cdev pair`")
        }
    }
}

extension PairingInvitation {
    package var listing: JSONObject {
        [
            "offer_id": .string(offer.id), "token": .string(token), "code": .string(code), "url": .string(url),
            "name": .text(offer.name), "access": .string(offer.level.rawValue), "expires_at": .time(offer.expiresAt),
            "expires_in": .count(Int(PairingBook.lifetime)),
        ]
    }
}

extension PairingRequest {
    package var listing: JSONObject {
        [
            "request_id": .string(id), "offer_id": .string(offer), "name": .string(name),
            "platform": .string(platform), "address": .string(address), "access": .string(level.rawValue),
            "created_at": .time(createdAt), "expires_at": .time(expiresAt),
        ]
    }
}

extension PairingOffer {
    var listing: JSONObject {
        var object: JSONObject = [
            "offer_id": .string(id), "state": .string(state.spelling), "attempts_left": .count(attemptsLeft),
            "name": .text(name), "access": .string(level.rawValue), "expires_at": .time(expiresAt),
            "device_id": .null, "request_id": .null,
        ]
        switch state {
        case .claimed(let request): object["request_id"] = .text(request)
        case .used(let device): object["device_id"] = .string(device)
        case .expired, .open, .rejected: break
        }
        return object
    }
}

extension PairingOffer.State {
    fileprivate var spelling: String {
        switch self {
        case .claimed: "claimed"
        case .expired: "expired"
        case .open: "open"
        case .rejected: "rejected"
        case .used: "used"
        }
    }
}
