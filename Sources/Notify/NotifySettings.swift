package import Core

/// The configuration under `notify`.
package struct NotifySettings: Sendable, Hashable {
    /// An ntfy topic.
    package struct Ntfy: Sendable, Hashable {
        /// The server's URL, without the topic and without a final `/`.
        package var server: String
        package var topic: String
        /// An access token, sent as a bearer.
        package var token: String?
        /// True if the button "Allow" allows at once; false if it opens the card.
        package var allowsDirectly = false

        package init(server: String, topic: String, token: String? = nil, allowsDirectly: Bool = false) {
            self.server = server
            self.topic = topic
            self.token = token
            self.allowsDirectly = allowsDirectly
        }
    }

    /// A key for the push service of Apple, and the app that it is for.
    package struct APNs: Sendable, Hashable {
        /// The absolute path of the key as Apple gives it (`.p8`).
        package var keyFile: String
        package var keyID: String
        package var teamID: String
        /// The app's bundle id.
        package var topic: String
        /// `HOST` or `HOST:PORT`, spoken to by https alone.
        package var host = "api.push.apple.com"
        package var sandboxHost = "api.sandbox.push.apple.com"
        /// The absolute path of the certificates that may vouch for the hosts; `nil` for the system's.
        package var authority: String?

        package init(keyFile: String, keyID: String, teamID: String, topic: String) {
            self.keyFile = keyFile
            self.keyID = keyID
            self.teamID = teamID
            self.topic = topic
        }
    }

    /// An HTTP endpoint of the user.
    package struct Webhook: Sendable, Hashable {
        package var url: String
        /// The key that signs each message; `nil`: messages are not signed.
        package var secret: String?
        /// True if the webhook is sent answer links; it then counts as an approver.
        package var answers = false

        package init(url: String, secret: String? = nil, answers: Bool = false) {
            self.url = url
            self.secret = secret
            self.answers = answers
        }
    }

    package var apns: APNs?
    /// A `mailto:` or `https:` address to which push services may write in case of trouble.
    package var contact: String?
    package var includesDetails = false
    package var ntfy: Ntfy?
    package var policy = NoticePolicy()
    /// Only push endpoints on these hosts are accepted; `*.` matches any name below.
    package var pushHosts = Self.shippedPushHosts
    package var webhook: Webhook?

    package init() {}

    /// Google, Mozilla, Apple and Microsoft.
    package static let shippedPushHosts = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "*.push.services.mozilla.com", "web.push.apple.com",
        "*.push.apple.com", "*.notify.windows.com",
    ]

    /// The channels of the configuration; those of Web Push and APNs come and go with devices and apps.
    /// - Parameter obstacle: The reason for which answers to the channels' messages cannot reach the daemon; `nil` if
    ///   they can.
    package func channels(obstacle: String? = nil) -> [NoticeChannel] {
        var channels: [NoticeChannel] = []
        if ntfy != nil {
            channels.append(NoticeChannel(id: "ntfy", answers: true, gathers: false, obstacle: obstacle))
        }
        if let webhook {
            let obstacle = webhook.answers ? obstacle : nil
            channels.append(
                NoticeChannel(id: "webhook", answers: webhook.answers, gathers: false, obstacle: obstacle))
        }
        return channels
    }
}
