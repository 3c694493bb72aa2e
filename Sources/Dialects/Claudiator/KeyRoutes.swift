import Core
import OrderedJSON
import Services
import Wire

/// Keys of the app and its hooks: tokens of this daemon, made and revoked by the user at this machine.
extension ClaudiatorRoutes {
    var keyRoutes: [Route] { [makeKey, listKeys, deleteKey] }

    private static let keyPath = "/admin/api-keys"
    private static let form = TokenForm.hexadecimal(prefix: "claud_")

    private func keyRoute(
        _ verbs: [String], _ path: Route.Path,
        _ work: @escaping @Sendable (String, [UInt8]) async throws(ClaudiatorFailure) -> HTTPResponse
    ) -> Route {
        Route(
            verbs, path, for: .owner, bodyLimit: 4096, takesJSONOnly: verbs == ["POST"], holdsSecrets: true,
            work: .request { request, _, _ in
                guard let name = path.name(in: request.path) else {
                    return .now(ClaudiatorFailure.malformed("the path is not encoded as it should be").response)
                }
                let body = request.body
                return .later {
                    do throws(ClaudiatorFailure) { return try await work(name, body) } catch { return error.response }
                }
            })
    }

    private var makeKey: Route {
        keyRoute(["POST"], .exact(Self.keyPath)) { _, bytes async throws(ClaudiatorFailure) in
            let body = try ReportMembers(bytes)
            let name = try body.text("name").trimmed
            let level = try Self.level(of: try body.strings("scopes", atMost: 8) ?? [])
            guard !name.isEmpty else { throw .invalid("name is required") }
            do throws(DeviceFailure) {
                let (token, device) = try await services.devices.createToken(name: name, level: level, form: Self.form)
                return .json(
                    .created,
                    [
                        "id": .string(device.id), "name": .string(device.name), "key": .string(token),
                        "scopes": device.scopes, "created_at": .string(device.createdAt.rfc3339WithMilliseconds),
                    ])
            } catch {
                throw ClaudiatorFailure(error)
            }
        }
        .described(
            "Makes a key. It is shown this once, and is a token with the right to answer for `write`, to look for `read`.",
            body: .newKey, replies: [.json(201, .madeKey, "Made.")])
    }

    private static func level(of scopes: [String]) throws(ClaudiatorFailure) -> AccessLevel {
        guard !scopes.isEmpty else { throw .invalid("scopes must not be empty") }
        if let odd = scopes.first(where: { !["read", "write"].contains($0) }) {
            throw .invalid("invalid scope '\(odd.prefix(40))': must be 'read' or 'write'")
        }
        return scopes.contains("write") ? .approve : .view
    }

    private var listKeys: Route {
        keyRoute(Route.reading, .exact(Self.keyPath)) { _, _ async throws(ClaudiatorFailure) in
            let keys = await services.devices.devices().map(\.device).filter { $0.isKey }
            return .json(["keys": .array(keys.map(\.listedKey))])
        }
        .described("The tokens that are not revoked.", result: .object(["keys": .list(.listedKey)]))
    }

    /// An unknown id is no failure, so that a repeated request is none.
    private var deleteKey: Route {
        keyRoute(["DELETE"], .below("\(Self.keyPath)/")) { id, _ async throws(ClaudiatorFailure) in
            let isOther = await services.devices.devices().contains { $0.device.id == id && !$0.device.isKey }
            if isOther { return .json(Self.done) }
            // Also of one that is not listed any more: its revocation may not be written yet.
            do throws(DeviceFailure) {
                _ = try await services.devices.revoke(.id(id), reason: "it was revoked at this machine")
            } catch {
                if case .unknown = error { return .json(Self.done) }
                throw ClaudiatorFailure(error)
            }
            return .json(Self.done)
        }
        .described("Revokes a token by its id.", result: .claudiatorDone)
    }
}

extension ClaudiatorFailure {
    fileprivate init(_ failure: DeviceFailure) {
        switch failure {
        case .invalidName(let message): self = .invalid(message)
        case .taken(let name): self = .invalid("there is a device with the name '\(name)'")
        case .tooMany(let limit): self = .invalid("there are \(limit) devices, and more are not kept")
        case .store, .unknown: self = ClaudiatorFailure(.internalServerError, "Internal server error")
        }
    }
}

extension Device {
    fileprivate var isKey: Bool { credential.kind == .token && revokedAt == nil }

    fileprivate var scopes: JSON { rights.contains(.decide) ? ["read", "write"] : ["read"] }

    /// No beginning of the key: only its digest is stored.
    fileprivate var listedKey: JSON {
        [
            "id": .string(id), "name": .string(name), "key_prefix": "", "scopes": scopes,
            "created_at": .string(createdAt.rfc3339WithMilliseconds),
            "last_used": .text(lastSeen?.rfc3339WithMilliseconds),
        ]
    }
}

extension Schema {
    fileprivate static var scopes: Schema { .list(.choice(["read", "write"])) }

    fileprivate static var newKey: Schema {
        object(["name": .string, "scopes": scopes, "rate_limit": .integer.orNull.optional.meaning("has no effect")])
    }

    fileprivate static var madeKey: Schema {
        object(["id": .string, "name": .string, "key": .string, "scopes": scopes, "created_at": .time])
    }

    fileprivate static var listedKey: Schema {
        object([
            "id": .string, "name": .string, "key_prefix": .string.meaning("empty: only a digest is stored"),
            "scopes": scopes, "created_at": .time, "last_used": .time.orNull,
        ])
    }
}
