package import Core
import OrderedJSON

/// The answer of Apple's push service to one push.
package enum APNsAnswer: Sendable, Hashable {
    case delivered
    /// The token is no longer one, or was never one of this app.
    /// - since: The last time at which APNs confirmed that; `nil` if it did not say.
    case gone(reason: String, since: Timestamp?)
    case expiredToken
    case failed(String, isFinal: Bool, retryAfter: Double?)

    package init(_ result: ExchangeResult) {
        switch result {
        case .failed(let reason): self = .failed(reason, isFinal: false, retryAfter: nil)
        case .answered(let status, let body, let retryAfter):
            self.init(status, Self.reason(body), Self.timestamp(body), retryAfter)
        }
    }

    private init(_ status: Int, _ reason: String, _ time: Timestamp?, _ retryAfter: Double?) {
        let words = reason.isEmpty ? "APNs answered \(status)" : "APNs answered \(status) \(reason)"
        switch (status, reason) {
        case (200..<300, _): self = .delivered
        case (410, _): self = .gone(reason: words, since: time)
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): self = .gone(reason: words, since: nil)
        case (403, "ExpiredProviderToken"): self = .expiredToken
        case (408, _), (429, _), (500..., _): self = .failed(words, isFinal: false, retryAfter: retryAfter)
        default: self = .failed(words + Self.advice(reason), isFinal: true, retryAfter: nil)
        }
    }

    private static func advice(_ reason: String) -> String {
        switch reason {
        case "BadEnvironmentKeyIdInToken", "InvalidProviderToken", "UnrelatedKeyIdInToken":
            ": look at key_file, key_id and team_id of notify.apns"
        case "BadTopic", "MissingTopic", "TopicDisallowed": ": look at topic of notify.apns"
        default: ""
        }
    }

    /// The word that APNs gives; empty if it gives none. It is shown to people, so letters alone are taken.
    static func reason(_ body: [UInt8]) -> String {
        let text = (try? JSON(parsing: body))?["reason"]?.stringValue ?? ""
        let isWord = text.utf8.count <= 64 && text.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        return isWord ? text : ""
    }

    private static func timestamp(_ body: [UInt8]) -> Timestamp? {
        (try? JSON(parsing: body))?["timestamp"]?.intValue.map { Timestamp(milliseconds: Int64($0)) }
    }
}
