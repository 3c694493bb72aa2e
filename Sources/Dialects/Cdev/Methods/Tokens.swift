import Core
import OrderedJSON
import Services
import Wire

/// Tokens made by name, which do not expire.
struct TokenMethods: MethodGroup {
    let devices: any DeviceService

    var methods: [Method] { [create, list, revoke] }

    private var create: Method {
        Method(
            "token/create", right: .administer, isForPeople: true,
            summary: "Makes a token for a device or program; it does not expire.",
            parameters: .required("name", "the device, as it will stand in the log"),
            .choice("rights", of: AccessLevel.allCases, default: .approve, "what it may do"),
            result: .object([
                "token": .string.meaning("shown this once"), "name": .string, "device_id": .string, "access": .access,
            ])
        ) { _, name, level async throws(JSONRPCError) in
            do throws(DeviceFailure) {
                let (token, device) = try await devices.createToken(name: name, level: level)
                return [
                    "token": .string(token), "name": .string(name), "device_id": .string(device.id),
                    "access": .string(level.rawValue),
                ]
            } catch {
                throw error.rpcError
            }
        }
    }

    private var list: Method {
        Method(
            "token/list", right: .administer, isForPeople: true,
            summary: "The devices that have a token; device/list has the paired ones too.",
            result: .listing("tokens", of: .token)
        ) { _ in
            let tokens = await devices.devices().map(\.device).filter { $0.credential.kind == .token }
            return .object(Listing(tokens.map(\.tokenListing), ceiling: FrameCeiling.answer).object("tokens"))
        }
    }

    private var revoke: Method {
        Method(
            "token/revoke", right: .administer, isForPeople: true,
            summary: "Revokes a token by its name, as device/revoke does by id.",
            parameters: .required("name", "as in token/list"), result: .revokedDevice
        ) { _, name async throws(JSONRPCError) in
            do throws(DeviceFailure) {
                return .object(try await devices.revoke(.name(name), reason: "it was revoked at this machine").listing)
            } catch {
                throw error.rpcError
            }
        }
    }
}

extension Schema {
    fileprivate static let token = object([
        "name": .string, "created_at": .time, "last_used": .time.orNull, "rights": .list(.right),
        "device_id": .string, "truncated": .truncated.optional,
    ]).named("Token")
}

extension Device {
    fileprivate var tokenListing: JSONObject {
        [
            "name": .string(name), "created_at": .time(createdAt), "last_used": .time(lastSeen),
            "rights": .rights(rights), "device_id": .string(id),
        ]
    }
}
