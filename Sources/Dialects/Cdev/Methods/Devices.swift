package import Core
package import OrderedJSON
import Services
import Wire

/// The paired devices and tokens.
struct DeviceMethods: MethodGroup {
    let access: any AccessService
    let devices: any DeviceService

    var methods: [Method] { [list, revoke] }

    private var list: Method {
        Method(
            "device/list", right: .read, isForPeople: true, summary: "The paired devices and the tokens, by name.",
            result: .listing("devices", of: .device)
        ) { call in
            let own = call.caller.deviceID
            let listed = await devices.devices().map { $0.listing(own: own) }
            return .object(Listing(listed, ceiling: FrameCeiling.answer).object("devices"))
        }
    }

    private var revoke: Method {
        Method(
            "device/revoke", right: .decide, isForPeople: true,
            summary:
                "Revokes a device, closes its connections and drops the session rules it granted. A device may "
                + "revoke itself, the local user any.",
            parameters: .required("device_id", "as in device/list"),
            result: .revokedDevice, handler: revoke)
    }

    private func revoke(_ call: Call, id: String) async throws(JSONRPCError) -> JSON {
        let isOwn = call.caller.deviceID == id
        guard isOwn || call.caller.may(.administer) else {
            await access.refused(call.caller, method: "device/revoke")
            throw .refused("device/revoke", .administer)
        }
        let reason = isOwn ? "it revoked itself" : "it was revoked at this machine"
        do throws(DeviceFailure) {
            return .object(try await devices.revoke(.id(id), reason: reason).listing)
        } catch {
            throw error.rpcError
        }
    }
}

extension DeviceFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .invalidName(let message): .invalidParams(message)
        case .store(let message): .internalError(message)
        case .taken(let name): .invalidParams("a device or token named \"\(name)\" exists already; revoke it first")
        case .tooMany(let limit): .internalError("there are \(limit) devices, and more are not kept; revoke some first")
        case .unknown(let selector): .invalidParams("there is no device or token \"\(selector.prefix(80))\"")
        }
    }
}

extension Schema {
    static let revokedDevice = object([
        "success": .success, "device_id": .string, "name": .string,
        "rules_dropped": .list(.rule).meaning("the session rules it had granted"),
    ])

    static let device = object([
        "device_id": .string, "name": .string, "kind": .choice(["paired", "token"]), "access": .access,
        "rights": .list(.right), "platform": .string, "created_at": .time, "last_seen": .time.orNull,
        "last_address": .string.orNull, "expires_at": .time.orNull, "connected": .boolean,
        "own": .boolean.meaning("it is the caller"), "truncated": .truncated.optional,
    ]).named("Device")
}

extension DeviceRevocation {
    var listing: JSONObject {
        [
            "success": true, "device_id": .string(device.id), "name": .string(device.name),
            "rules_dropped": .array(rules.map { .object($0.listing) }),
        ]
    }
}

extension DeviceView {
    func listing(own: String?) -> JSONObject {
        [
            "device_id": .string(device.id), "name": .string(device.name),
            "kind": .string(device.credential.kind.rawValue),
            "access": .string(AccessLevel(device.rights).rawValue), "rights": .rights(device.rights),
            "platform": .string(device.platform), "created_at": .time(device.createdAt),
            "last_seen": .time(device.lastSeen), "last_address": .text(device.lastAddress),
            "expires_at": .time(device.expiresAt), "connected": .bool(isConnected),
            "own": .bool(device.id == own),
        ]
    }
}

extension JSON {
    /// The names of the rights, sorted.
    package static func rights(_ rights: Set<Right>) -> JSON {
        .array(rights.map(\.rawValue).sorted().map(JSON.string))
    }
}
