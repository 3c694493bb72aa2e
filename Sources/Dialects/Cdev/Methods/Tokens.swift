import Core
import OrderedJSON
import Services
import Wire

extension Method {
    static let tokenCreate = Method(
        "token/create", right: .administer, isForPeople: true,
        summary: "Makes a token for a device or program; it does not expire.",
        parameters: [
            Parameter("name", textSchema, "the device, as it will stand in the log", isRequired: true),
            Parameter("rights", enumSchema(AccessLevel.allCases.map(\.rawValue)), "`approve` unless told"),
        ],
        result: "token (shown this once), name, device_id, access"
    ) { call async throws(JSONRPCError) in
        let name = try call.arguments.required("name", "the device, as it will stand in the log")
        let level = try call.arguments.choice("rights", of: AccessLevel.allCases) ?? .approve
        do throws(DeviceFailure) {
            let (token, device) = try await call.services.devices.createToken(name: name, level: level)
            return [
                "token": .string(token), "name": .string(name), "device_id": .string(device.id),
                "access": .string(level.rawValue),
            ]
        } catch {
            throw error.rpcError
        }
    }

    static let tokenList = Method(
        "token/list", right: .administer, isForPeople: true,
        summary: "The devices that have a token; device/list has the paired ones too.",
        result: "tokens (name, created_at, last_used, rights, device_id), count, more"
    ) { call in
        let tokens = await call.services.devices.devices().map(\.device).filter { $0.credential.kind == .token }
        return .object(Listing(tokens.map(\.tokenListing), ceiling: FrameCeiling.answer).object("tokens"))
    }

    static let tokenRevoke = Method(
        "token/revoke", right: .administer, isForPeople: true,
        summary: "Makes a token worthless; as device/revoke, by name.",
        parameters: [Parameter("name", textSchema, "as in token/list", isRequired: true)],
        result: "success, name, device_id, rules_dropped"
    ) { call async throws(JSONRPCError) in
        let name = try call.arguments.required("name", "as in token/list")
        do throws(DeviceFailure) {
            let revocation = try await call.services.devices.revoke(
                .name(name), reason: "it was revoked at this machine")
            return .object(revocation.listing)
        } catch {
            throw error.rpcError
        }
    }
}

extension Device {
    fileprivate var tokenListing: JSONObject {
        [
            "name": .string(name), "created_at": .time(createdAt), "last_used": .time(lastSeen),
            "rights": .rights(rights), "device_id": .string(id),
        ]
    }
}
