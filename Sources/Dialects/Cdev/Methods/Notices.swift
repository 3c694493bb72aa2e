import Core
import OrderedJSON
import Services
import Wire

/// Notifications: who is present, the test of the channels, and Web Push subscriptions.
struct NoticeMethods: MethodGroup {
    let notices: any NoticeService

    var methods: [Method] { [presence, test, key, subscribe, unsubscribe] }

    private var presence: Method {
        Method(
            "client/presence", right: .read,
            summary: "Says whether the client is in view. While one that may decide is, and was touched in the last "
                + "minute, notifications wait for 10 s.",
            parameters: .integer(
                "input_seconds", in: 0...Self.longestIdle, default: 0, "since its user last touched it"),
            .requiredBoolean("visible", "whether it is in view"),
            result: .done
        ) { call, seconds, isVisible in
            // A client that cannot answer must not delay the notifications of people who can.
            if call.caller.may(.decide) {
                await notices.presence(of: call.caller, isVisible: isVisible, idleFor: Double(seconds))
            }
            return ["success": true]
        }
    }

    /// A day, in seconds.
    private static let longestIdle = 86_400

    private var test: Method {
        Method(
            "notify/test", right: .administer, scheduling: .beside, summary: "Sends a notification to every channel.",
            result: .object([
                "channels": .list(
                    .object(["channel": .string, "delivered": .boolean, "failure": .string.orNull]))
            ])
        ) { _ in
            let list = await notices.test().map { test -> JSON in
                [
                    "channel": .string(test.channel), "delivered": .bool(test.failure == nil),
                    "failure": .text(test.failure),
                ]
            }
            return ["channels": .array(list)]
        }
    }

    private var key: Method {
        Method(
            "push/key", right: .decide, summary: "The key with which a browser subscribes to Web Push.",
            result: .object(["key": .string.meaning("`applicationServerKey`: 65 bytes, base64url")])
        ) { _ async throws(JSONRPCError) in
            do throws(NoticeFailure) { return ["key": .string(try await notices.pushKey())] } catch {
                throw error.rpcError
            }
        }
    }

    private var subscribe: Method {
        Method(
            "push/subscribe", right: .decide,
            summary:
                "Has notifications sent to this device's browser, in place of an earlier subscription of the device.",
            parameters: .required(
                "endpoint", "of a push service in push_hosts", missing: "as in the browser's PushSubscription"),
            .object("keys", of: Self.keys, isRequired: true, "as in the browser's PushSubscription"),
            result: .done
        ) { call, endpoint, keys async throws(JSONRPCError) in
            let keys = PushKeys(endpoint: endpoint, p256dh: keys.p256dh, authentication: keys.auth)
            do throws(NoticeFailure) {
                try await notices.subscribe(keys, by: call.caller)
                return ["success": true]
            } catch {
                throw error.rpcError
            }
        }
    }

    private var unsubscribe: Method {
        Method(
            "push/unsubscribe", right: .decide, summary: "Ends the subscription of this device.",
            result: .object(["success": .success, "existed": .boolean])
        ) { call async throws(JSONRPCError) in
            do throws(NoticeFailure) {
                return ["success": true, "existed": .bool(try await notices.unsubscribe(call.caller))]
            } catch {
                throw error.rpcError
            }
        }
    }

    private struct Keys: Sendable {
        let auth: [UInt8]
        let p256dh: [UInt8]
    }

    private static let keys = Shape(key("auth"), key("p256dh"), make: Keys.init)

    private static func key(_ name: String) -> Field<[UInt8]> {
        Field<String>.required(name, "base64url", missing: "in \"keys\", as in the browser's PushSubscription")
            .map { text throws(JSONRPCError) in
                guard let bytes = Base64.decodeEither(text) else {
                    throw .invalidParams("\"keys.\(name)\" is not base64url")
                }
                return bytes
            }
    }
}

extension Schema {
    static let done = object(["success": .success])
}

extension NoticeFailure {
    fileprivate var rpcError: JSONRPCError {
        switch self {
        case .invalid(let message): .invalidParams(message)
        case .unable(let message): .internalError(message)
        }
    }
}
