package import Core

/// What the user set under `notify`.
package struct NotifySettings: Sendable, Hashable {
    /// An ntfy topic.
    package struct Ntfy: Sendable, Hashable {
        /// Of the server, without the topic and without a last `/`.
        package var server: String
        package var topic: String
        /// An access token, sent as a bearer.
        package var token: String?
        /// "Allow" acts at once instead of opening the card.
        package var allowsDirectly = false

        package init(server: String, topic: String, token: String? = nil, allowsDirectly: Bool = false) {
            self.server = server
            self.topic = topic
            self.token = token
            self.allowsDirectly = allowsDirectly
        }
    }

    /// A program of the user's.
    package struct Webhook: Sendable, Hashable {
        package var url: String
        /// Signs each message.
        package var secret: String?
        /// It is sent answer links, and so counts as somebody who can be asked.
        package var answers = false

        package init(url: String, secret: String? = nil, answers: Bool = false) {
            self.url = url
            self.secret = secret
            self.answers = answers
        }
    }

    /// `mailto:` or `https:`; push services write there when they have a complaint.
    package var contact: String?
    package var includesDetails = false
    package var ntfy: Ntfy?
    package var policy = NoticePolicy()
    /// Push endpoints are taken on these hosts only; `*.` stands for any name below.
    package var pushHosts = Self.shippedPushHosts
    package var webhook: Webhook?

    package init() {}

    /// Google, Mozilla, Apple and Microsoft.
    package static let shippedPushHosts = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "*.push.services.mozilla.com", "web.push.apple.com",
        "*.push.apple.com", "*.notify.windows.com",
    ]

    /// The channels of the configuration; those of Web Push come and go with devices.
    /// - Parameter obstacle: Why what they send cannot be answered; nil where it can.
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
