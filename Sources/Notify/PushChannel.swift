package import Core
package import Crypto
import OrderedJSON
import Text
import Wire

/// Web Push: delivered by RFC 8030, encrypted by RFC 8291, signed by RFC 8292.
package enum PushChannel {
    /// - Parameters:
    ///   - contact: The `sub` of the token.
    ///   - sender: The key the subscription was made with.
    /// - Returns: `nil` if the subscription cannot be used.
    package static func request(
        _ message: Message, to subscription: PushSubscription, from sender: P256Key, contact: String, at now: Timestamp
    ) -> OutgoingRequest? {
        guard let address = PushEndpoint(subscription.endpoint),
            let body = WebPushEncryption.encrypt(
                payload(message), for: subscription.p256dh, authentication: subscription.authentication),
            let token = token(audience: address.origin, contact: contact, sender: sender, at: now)
        else { return nil }
        let left = max(0, Int(message.notice.expires.seconds(since: now)))
        var headers = [
            ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"), ("TTL", "\(left)"),
            ("Urgency", "high"), ("Authorization", "vapid t=\(token),k=\(Base64.encodeForURL(sender.publicBytes))"),
        ]
        if let request = message.notice.request { headers.append(("Topic", topic(request.id))) }
        return OutgoingRequest(url: subscription.endpoint, headers: headers, body: body, isForeign: true)
    }

    package static func outcome(_ result: ExchangeResult) -> NoticeOutcome {
        result.outcome(goneMeansNobody: true)
    }

    /// The JSON for the page's service worker. Every message leads to a visible notification, as browsers demand.
    package static func payload(_ message: Message) -> [UInt8] {
        JSON.object([
            "title": .string(message.text.title), "body": .string(message.text.body),
            "tag": .string(message.notice.tag), "request_id": message.notice.request.map { .string($0.id) } ?? .null,
            "url": .string(message.cardURL), "silent": .bool(message.notice.isSilent),
        ]).serializedBytes()
    }

    /// The `Topic` of a request's messages: a later message replaces one that is not yet delivered. 32 letters, the
    /// most that push services take (RFC 8030, section 5.4).
    private static func topic(_ request: String) -> String {
        Base64.encodeForURL(Array(Digest.sha256(Array(request.utf8)).prefix(24)))
    }

    /// A JWT for this push service, valid for 12 hours (RFC 8292 allows 24).
    static func token(audience: String, contact: String, sender: P256Key, at now: Timestamp) -> String? {
        let claims: JSON = [
            "aud": .string(audience), "exp": .number(JSONNumber(Int(now.milliseconds / 1000 + 43_200))),
            "sub": .string(contact),
        ]
        return JSONWebToken.es256(["typ": "JWT", "alg": "ES256"], claims, by: sender)
    }
}

/// The URL of a push service, which a browser chose and a page sent to the daemon.
package struct PushEndpoint: Sendable, Hashable {
    /// Lower case.
    package let host: String

    /// - Returns: `nil` for all but `https://HOST/…` without user or port and with an ASCII host, so that every parser
    ///   of URLs reads the same host.
    package init?(_ url: String) {
        guard url.utf8.count <= 2048, url.hasPrefix("https://"), let address = WebAddress(url), address.isOfWeb,
            address.authority.port == nil, address.rest.hasPrefix("/"), !address.rest.holds("#")
        else { return nil }
        let host = address.authority.host.lowercased()
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isName, host.contains("."), host.first != ".", host.last != ".", !host.holds("..") else { return nil }
        self.host = host
    }

    package var origin: String { "https://\(host)" }

    /// - Parameter hosts: Host names; `*.name` matches every name below `name`.
    package func isOn(_ hosts: [String]) -> Bool {
        hosts.contains { entry in
            entry.hasPrefix("*.") ? host.hasSuffix(entry.dropFirst().lowercased()) : host == entry.lowercased()
        }
    }
}
