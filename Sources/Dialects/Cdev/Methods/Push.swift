import Core
import OrderedJSON
import Services
import Wire

extension Method {
    static let notifyTest = Method(
        "notify/test", right: .administer, isSlow: true, summary: "Sends a notification to every channel.",
        result: "channels (channel, delivered, failure)"
    ) { call in
        let tests = await call.services.notices.test()
        let list = tests.map { test -> JSON in
            [
                "channel": .string(test.channel), "delivered": .bool(test.failure == nil),
                "failure": .text(test.failure),
            ]
        }
        return ["channels": .array(list)]
    }

    static let pushKey = Method(
        "push/key", right: .decide, summary: "The key with which a browser subscribes to Web Push.",
        result: "key (`applicationServerKey`: 65 bytes, base64url)"
    ) { call async throws(JSONRPCError) in
        do throws(NoticeFailure) { return ["key": .string(try await call.services.notices.pushKey())] } catch {
            throw error.rpcError
        }
    }

    static let pushSubscribe = Method(
        "push/subscribe", right: .decide,
        summary: "Has notifications sent to this device's browser, in place of an earlier subscription of the device.",
        parameters: [
            Parameter("endpoint", textSchema, "of a push service in push_hosts", isRequired: true),
            Parameter("keys", objectSchema, "`p256dh` and `auth`, base64url", isRequired: true),
        ],
        result: "success",
        handler: subscribe)

    static let pushUnsubscribe = Method(
        "push/unsubscribe", right: .decide, summary: "Ends the subscription of this device.",
        result: "success, existed"
    ) { call async throws(JSONRPCError) in
        do throws(NoticeFailure) {
            let existed = try await call.services.notices.unsubscribe(call.caller)
            return ["success": true, "existed": .bool(existed)]
        } catch {
            throw error.rpcError
        }
    }

    private static func subscribe(_ call: Call) async throws(JSONRPCError) -> JSON {
        let endpoint = try call.arguments.required("endpoint", "as in the browser's PushSubscription")
        let keys = Arguments(try call.arguments.object("keys") ?? [:])
        let subscription = PushKeys(
            endpoint: endpoint, p256dh: try bytes("p256dh", of: keys), authentication: try bytes("auth", of: keys))
        do throws(NoticeFailure) {
            try await call.services.notices.subscribe(subscription, by: call.caller)
            return ["success": true]
        } catch {
            throw error.rpcError
        }
    }

    private static func bytes(_ name: String, of keys: Arguments) throws(JSONRPCError) -> [UInt8] {
        let text = try keys.required(name, "in \"keys\", as in the browser's PushSubscription")
        guard let bytes = Base64.decodeEither(text) else { throw .invalidParams("\"keys.\(name)\" is not base64url") }
        return bytes
    }
}

extension NoticeFailure {
    fileprivate var rpcError: JSONRPCError {
        switch self {
        case .invalid(let message): .invalidParams(message)
        case .unable(let message): .internalError(message)
        }
    }
}
