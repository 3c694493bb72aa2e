package import Core
import Crypto
import OrderedJSON

extension NotifySettings {
    /// The answer links that each channel may be sent, by channel id.
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

extension LinkGrant {
    fileprivate init(_ verbs: Set<Decision>, destination: [String?]) {
        // Hashed as JSON, so that no two lists have the same bytes.
        let list = JSON.array(destination.map { $0.map(JSON.string) ?? .null })
        self.init(verbs, destination: Digest.sha256(list.serializedBytes()))
    }
}
