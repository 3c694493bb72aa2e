package import Core
import Crypto
import OrderedJSON

/// Which answer links a channel of the configuration may be sent, and where it leads.
package struct LinkGrant: Sendable, Hashable {
    package let verbs: Set<Decision>
    /// SHA-256 of its address and its secrets: another topic or token is another destination.
    package let destination: [UInt8]

    init(_ verbs: Set<Decision>, destination: [String?]) {
        self.verbs = verbs
        // As JSON, so that no two lists are spelled alike.
        self.destination = Digest.sha256(JSON.array(destination.map { $0.map(JSON.string) ?? .null }).serializedBytes())
    }

    /// Whether the channel as it is now would be sent this link.
    package func covers(_ link: AnswerLink) -> Bool {
        verbs.contains(link.verb) && link.destination == destination
    }
}

extension NotifySettings {
    /// By channel id.
    package var linkGrants: [String: LinkGrant] {
        var grants: [String: LinkGrant] = [:]
        if let ntfy {
            grants["ntfy"] = LinkGrant(
                NtfyChannel.verbs(ntfy), destination: ["ntfy", ntfy.server, ntfy.topic, ntfy.token])
        }
        if let webhook {
            grants["webhook"] = LinkGrant(
                WebhookChannel.verbs(webhook), destination: ["webhook", webhook.url, webhook.secret])
        }
        return grants
    }
}
