package import Core
import Crypto
import OrderedJSON

/// Pushes to the app of Claudiator, by Apple's push service (APNs, "Sending notification requests to APNs").
package enum APNsChannel {
    /// Bytes; APNs refuses a longer payload.
    package static let longestPayload = 4096
    /// Bytes; APNs refuses a longer `apns-collapse-id`.
    private static let longestID = 64

    /// - Parameter token: The provider's token.
    /// - Returns: `nil` if the push cannot be made short enough.
    package static func request(
        _ message: Message, to app: PushRegistration, _ settings: NotifySettings.APNs, token: String, at now: Timestamp
    ) -> OutgoingRequest? {
        guard let payload = payload(message) else { return nil }
        let notice = message.notice
        // 0: delivered now or never.
        let expiration = notice.expires > now ? notice.expires.milliseconds / 1000 : 0
        let headers = [
            ("authorization", "bearer \(token)"), ("apns-topic", settings.topic), ("apns-push-type", "alert"),
            ("apns-priority", "10"), ("apns-expiration", "\(expiration)"),
            ("apns-collapse-id", short(notice.sessionID ?? notice.tag)), ("content-type", "application/json"),
        ]
        let host = app.isSandbox ? settings.sandboxHost : settings.host
        return OutgoingRequest(
            url: "https://\(host)/3/device/\(app.token.lowercased())", headers: headers, body: payload)
    }

    /// The JSON, with the texts cut at a character where it would be too long: the body first.
    package static func payload(_ message: Message) -> [UInt8]? {
        var (title, body) = (message.text.title, message.text.body)
        var bytes = payload(message, title, body)
        for isTitle in [false, true] where bytes.count > longestPayload {
            let text = isTitle ? title : body
            // Without a byte of the text that many are missing at least: escapes only make it longer.
            let cut = cut(text, by: bytes.count - longestPayload)
            (title, body) = isTitle ? (cut, body) : (title, cut)
            bytes = payload(message, title, body)
        }
        return bytes.count <= longestPayload ? bytes : nil
    }

    private static func cut(_ text: String, by excess: Int) -> String {
        let mark = "…"
        let left = text.utf8.count - excess - mark.utf8.count
        return left > 0 ? text.cut(to: left) + mark : ""
    }

    private static func payload(_ message: Message, _ title: String, _ body: String) -> [UInt8] {
        let notice = message.notice
        var alert: JSONObject = ["title": .string(title), "body": .string(body)]
        var aps: JSONObject = ["sound": "default", "content-available": 1]
        var members: JSONObject = [:]
        if let session = notice.sessionID { aps["thread-id"] = .string(short(session)) }
        if case .reported(let reported) = notice.subject {
            if !reported.cwd.isEmpty { alert["subtitle"] = .string(NoticeText.project(reported.cwd)) }
            if reported.kept.kind == .permission { aps["interruption-level"] = "time-sensitive" }
            members = [
                "notification_id": .string(reported.kept.id), "session_id": .string(reported.kept.sessionID),
                "device_id": .string(reported.kept.machineID),
            ]
        }
        aps["alert"] = .object(alert)
        return JSON.object(JSONObject([("aps", .object(aps))] + members.map { ($0.key, $0.value) })).serializedBytes()
    }

    /// The id, or its digest where it has more than 64 bytes or others than visible ASCII: other machines make up ids,
    /// and a field of a request must not hold a line break.
    package static func short(_ id: String) -> String {
        let isPlain = (1...longestID).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? id : Digest.hex(Digest.sha256(Array(id.utf8)))
    }
}
