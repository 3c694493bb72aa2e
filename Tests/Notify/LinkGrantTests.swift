import Core
import Notify
import Testing

/// A link is valid only as long as its channel would be sent it.
struct LinkGrantTests {
    private static let ntfy = NotifySettings.Ntfy(
        server: "https://ntfy.example", topic: "t", token: "k", allowsDirectly: true)
    private static let webhook = NotifySettings.Webhook(url: "https://x.example", secret: "s", answers: true)

    private static func settings(
        ntfy: (inout NotifySettings.Ntfy) -> Void = { _ in },
        webhook: (inout NotifySettings.Webhook) -> Void = { _ in }
    ) -> NotifySettings {
        var settings = NotifySettings()
        var one = Self.ntfy
        var other = Self.webhook
        ntfy(&one)
        webhook(&other)
        settings.ntfy = one
        settings.webhook = other
        return settings
    }

    /// Channel and verb of the links made under `settings()` that are still valid under `today`.
    private static func alive(_ today: NotifySettings) -> Set<String> {
        var alive: Set<String> = []
        for (channel, grant) in settings().linkGrants {
            for verb in grant.verbs {
                let link = AnswerLink(
                    hash: [1], requestID: "r_1", opening: 1, verb: verb, channel: channel,
                    destination: grant.destination, createdAt: Timestamp(milliseconds: 0),
                    expiresAt: Timestamp(milliseconds: 1))
                if today.linkGrants[channel]?.covers(link) == true { alive.insert("\(channel) \(verb.rawValue)") }
            }
        }
        return alive
    }

    private static let ofNtfy: Set = ["ntfy allow", "ntfy deny"]
    private static let ofWebhook: Set = ["webhook allow", "webhook deny"]

    @Test(arguments: [
        (settings(), ofNtfy.union(ofWebhook)),
        (settings(ntfy: { $0.allowsDirectly = false }), ofWebhook.union(["ntfy deny"])),
        (settings(ntfy: { $0.topic = "u" }), ofWebhook), (settings(ntfy: { $0.token = "other" }), ofWebhook),
        (settings(ntfy: { $0.token = nil }), ofWebhook),
        (settings(ntfy: { $0.server = "https://other.example" }), ofWebhook),
        (settings(webhook: { $0.answers = false }), ofNtfy), (settings(webhook: { $0.secret = "t" }), ofNtfy),
        (settings(webhook: { $0.secret = nil }), ofNtfy), (settings(webhook: { $0.url = "https://y.example" }), ofNtfy),
        (NotifySettings(), Set<String>()),
    ])
    func aLinkDiesWithItsPermission(today: NotifySettings, left: Set<String>) {
        #expect(Self.alive(today) == left)
    }
}
