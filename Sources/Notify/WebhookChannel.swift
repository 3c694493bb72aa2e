package import Core
import Crypto
import OrderedJSON

/// A message to the user's webhook: JSON, signed where a secret is set.
package enum WebhookChannel {
    package static func verbs(_ settings: NotifySettings.Webhook) -> Set<Decision> {
        settings.answers ? [.allow, .deny] : []
    }

    /// - Parameters:
    /// - now: The time of this attempt. A receiver can refuse old messages, so that a recorded message cannot be
    ///   replayed.
    /// - delivery: A number that is the same for every attempt at one message.
    package static func request(
        _ message: Message, to settings: NotifySettings.Webhook, delivery: UInt64, at now: Timestamp
    ) -> OutgoingRequest {
        let body = JSON.object(body(message, at: now)).serializedBytes()
        var headers = [("Content-Type", "application/json"), ("Cdev-Delivery", "\(delivery)")]
        if let secret = settings.secret { headers.append(("Cdev-Signature", signature(body, secret, at: now))) }
        return OutgoingRequest(url: settings.url, headers: headers, body: body)
    }

    package static func outcome(_ result: ExchangeResult) -> NoticeOutcome {
        result.outcome(goneMeansNobody: false)
    }

    /// `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY` under the secret.
    package static func signature(_ body: [UInt8], _ secret: String, at now: Timestamp) -> String {
        let seconds = now.milliseconds / 1000
        let digest = KeyDerivation.hmacSHA256(key: Array(secret.utf8), Array("\(seconds).".utf8) + body)
        return "t=\(seconds),v1=" + Digest.hex(digest)
    }

    private static func body(_ message: Message, at now: Timestamp) -> JSONObject {
        let notice = message.notice
        var body: JSONObject = [
            "version": 1, "type": .string(type(notice)), "title": .string(message.text.title),
            "body": .string(message.text.body), "tag": .string(notice.tag), "silent": .bool(notice.isSilent),
            "url": .string(message.cardURL), "at": .string(now.rfc3339),
            "session_id": .id(notice.sessionID),
        ]
        if let request = notice.request {
            body["request_id"] = .string(request.id)
            body["tool_name"] = .string(request.toolName)
            body["deadline"] = .string(request.deadline.rfc3339)
        }
        switch notice.subject {
        case .asked:
            body["waiting"] = .number(JSONNumber(notice.waiting))
            let links = [Decision.allow, .deny].compactMap { verb in
                message.linkURL(verb).map { (verb.rawValue, JSON.string($0)) }
            }
            if !links.isEmpty { body["links"] = .object(JSONObject(links)) }
        case .ended(_, let resolution):
            body["decision"] = .string(resolution.decision.rawValue)
            body["resolved_by"] = .string(resolution.resolver.spelling)
        case .denyIgnored(let deny):
            body["request_id"] = .string(deny.requestID)
            body["tool_name"] = .string(deny.toolName)
            body["agent"] = .string(deny.agent.rawValue)
        case .deviceEnds(let name): body["device_name"] = .string(name)
        case .idle, .reported, .stopped, .test: break
        }
        return body
    }

    private static func type(_ notice: Notice) -> String {
        switch notice.subject {
        case .asked: "permission"
        case .denyIgnored: "deny_ignored"
        case .deviceEnds: "device_ends"
        case .ended: "permission_resolved"
        case .idle: "idle"
        case .reported: "report"
        case .stopped: "stop"
        case .test: "test"
        }
    }
}
