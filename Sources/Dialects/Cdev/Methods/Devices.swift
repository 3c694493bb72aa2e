package import Core
package import OrderedJSON
import Services
import Wire

extension Method {
    static let deviceList = Method(
        "device/list", right: .read, isForPeople: true, summary: "The devices that may come in, by name.",
        result: "devices (device_id, name, kind, access, rights, platform, created_at, last_seen, last_address, "
            + "expires_at, connected, own), count, more"
    ) { call in
        let devices = await call.services.devices.devices()
        let own = call.caller.deviceID
        return .object(
            Listing(devices.map { $0.listing(own: own) }, ceiling: FrameCeiling.answer).object("devices"))
    }

    static let deviceRevoke = Method(
        "device/revoke", right: .decide, isForPeople: true,
        summary:
            "Lets a device in no more, closes its connections and drops the session rules it granted. A device may "
            + "do it to itself, the local user to all.",
        parameters: [Parameter("device_id", textSchema, "as in device/list", isRequired: true)],
        result: "success, device_id, name, rules_dropped",
        handler: revoke)

    private static func revoke(_ call: Call) async throws(JSONRPCError) -> JSON {
        let id = try call.arguments.required("device_id", "as in device/list")
        let isOwn = call.caller.deviceID == id
        guard isOwn || call.caller.may(.administer) else {
            await call.services.access.refused(call.caller, method: deviceRevoke.name)
            throw Dispatcher.refusal(of: deviceRevoke, .administer)
        }
        let reason = isOwn ? "it revoked itself" : "it was revoked at this machine"
        do throws(DeviceFailure) {
            return .object(try await call.services.devices.revoke(.id(id), reason: reason).listing)
        } catch {
            throw error.rpcError
        }
    }
}

extension Caller {
    fileprivate var deviceID: String? {
        if case .device(let id, _) = identity { id } else { nil }
    }
}

extension DeviceFailure {
    var rpcError: JSONRPCError {
        switch self {
        case .invalidName(let message): .invalidParams(message)
        case .store(let message): .internalError(message)
        case .taken(let name): .invalidParams("a device or token named \"\(name)\" exists already; revoke it first")
        case .tooMany(let limit): .internalError("there are \(limit) devices, and more are not kept; revoke some first")
        case .unknown(let selector): .invalidParams("there is no device \"\(selector.prefix(80))\"")
        }
    }
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
    /// Their names, sorted.
    package static func rights(_ rights: Set<Right>) -> JSON {
        .array(rights.map(\.rawValue).sorted().map(JSON.string))
    }
}
