package import Core
package import OrderedJSON
import Services
import Wire

/// Pairing: invitations, and the devices that wait for the user's approval.
struct PairingMethods: MethodGroup {
    let pairing: any PairingService

    var methods: [Method] { [approve, pending, reject, start] }

    private var approve: Method {
        Method(
            "pair/approve", right: .administer, isForPeople: true, summary: "Approves a device that typed its code.",
            parameters: .required("request_id", "as in event/pairing_requested"), result: .settlement
        ) { _, id async throws(JSONRPCError) in try await settle(id, approved: true) }
    }

    private var pending: Method {
        Method(
            "pair/pending", right: .administer, isForPeople: true,
            summary: "The devices that wait for approval, and the offers of the last minutes with their states.",
            result: .object([
                "requests": .list(.pairingRequest), "count": .count.meaning("of the requests"),
                "offers": .list(.pairingOffer),
            ])
        ) { _ in
            let (offers, requests) = await pairing.pending()
            return [
                "requests": .array(requests.map { .object($0.listing) }), "count": .count(requests.count),
                "offers": .array(offers.map { .object($0.listing) }),
            ]
        }
    }

    private var reject: Method {
        Method(
            "pair/reject", right: .administer, isForPeople: true,
            summary: "Rejects a device that typed its code, or withdraws an offer.",
            parameters: .required(
                "request_id", "as in event/pairing_requested; or an offer_id",
                missing: "as in event/pairing_requested"),
            result: .settlement
        ) { _, id async throws(JSONRPCError) in try await settle(id, approved: false) }
    }

    private var start: Method {
        Method(
            "pair/start", right: .administer, isForPeople: true,
            summary: "Invites one device, for two minutes: a link to open or scan, and a code to type.",
            parameters: .string("name", "what to call the device; otherwise as it calls itself"),
            .choice("rights", of: AccessLevel.allCases, default: .approve, "what it may do"),
            result: .object([
                "offer_id": .string, "token": .string.meaning("shown this once"),
                "code": .string.meaning("shown this once"), "url": .string.meaning("shown this once"),
                "name": .string.orNull, "access": .access, "expires_at": .time,
                "expires_in": .count.meaning("seconds"),
            ])
        ) { _, name, level async throws(JSONRPCError) in
            do throws(DeviceFailure) {
                return .object(try await pairing.start(name: name, level: level).listing)
            } catch {
                throw error.rpcError
            }
        }
    }

    private func settle(_ id: String, approved: Bool) async throws(JSONRPCError) -> JSON {
        switch await pairing.settle(id, approved: approved) {
        case .cancelled: return ["success": true, "request_id": .string(id), "name": .null]
        case .request(let request):
            return ["success": true, "request_id": .string(id), "name": .string(request.name)]
        case nil:
            throw .internalError("no device waits under \"\(id.prefix(80))\" any more; start again with `cdev pair`")
        }
    }
}

extension Schema {
    fileprivate static let settlement = object([
        "success": .success, "request_id": .string, "name": .string.orNull.meaning("null for an offer"),
    ])

    fileprivate static let pairingRequest = pairingRequestMembers.named("PairingRequest")

    static let pairingRequestMembers = object([
        "request_id": .string, "offer_id": .string, "name": .string, "platform": .string, "address": .string,
        "access": .access, "created_at": .time, "expires_at": .time,
    ])

    fileprivate static let pairingOffer = object([
        "offer_id": .string, "state": .choice(["claimed", "expired", "open", "rejected", "used"]),
        "attempts_left": .count, "name": .string.orNull, "access": .access, "expires_at": .time,
        "device_id": .string.orNull, "request_id": .string.orNull,
    ]).named("PairingOffer")
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
