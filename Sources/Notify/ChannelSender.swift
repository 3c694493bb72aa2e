package import Core
package import Services

/// Sends a notice to a channel: makes its message, with answer links if the channel may have them, and sends it.
package struct ChannelSender: NoticeSender {
    private let settings: NotifySettings
    private let http = HTTPSender()
    private let links: AnswerLinks
    private let pushes: PushSubscriptions
    private let key: PushKeyFile
    /// `nil` if the configuration has no key for Apple's push service.
    private let apns: APNsSender?
    private let clock: any TimeSource
    private let base: @Sendable () -> String
    private let leadsAnywhere: Bool

    /// - Parameters:
    ///   - base: Returns the daemon's URL as a browser reaches it, without a final `/`.
    ///   - leadsAnywhere: True if another machine can open URLs that begin with `base`. If not, a link's secret would
    ///     be sent to whatever listens on that port of the phone.
    package init(
        settings: NotifySettings, links: AnswerLinks, pushes: PushSubscriptions, key: PushKeyFile,
        apps: PushRegistrations, apnsToken: APNsToken?, clock: any TimeSource, base: @escaping @Sendable () -> String,
        leadsAnywhere: Bool
    ) {
        self.settings = settings
        self.links = links
        self.pushes = pushes
        self.key = key
        if let settings = settings.apns, let apnsToken {
            apns = APNsSender(settings, token: apnsToken, apps: apps, clock: clock)
        } else {
            apns = nil
        }
        self.clock = clock
        self.base = base
        self.leadsAnywhere = leadsAnywhere
    }

    /// - Parameter number: Number of the message; the same for each attempt to deliver it.
    package func send(_ notice: Notice, number: UInt64, to channel: String) async -> NoticeOutcome {
        if channel == "ntfy", let ntfy = settings.ntfy {
            let message = await message(notice, channel, verbs: NtfyChannel.verbs(ntfy))
            return NtfyChannel.outcome(await http.send(NtfyChannel.request(message, to: ntfy)))
        }
        if channel == "webhook", let webhook = settings.webhook {
            let message = await message(notice, channel, verbs: WebhookChannel.verbs(webhook))
            let request = WebhookChannel.request(message, to: webhook, delivery: number, at: clock.now().wall)
            return WebhookChannel.outcome(await http.send(request))
        }
        if let apns, apns.owns(channel) {
            return await apns.send(await message(notice, channel, verbs: []), to: channel)
        }
        return await push(notice, channel)
    }

    package func stop() {
        http.stop()
        apns?.stop()
    }

    private func push(_ notice: Notice, _ channel: String) async -> NoticeOutcome {
        guard let subscription = pushes.subscription(channel: channel) else { return .gone }
        let message = await message(notice, channel, verbs: [])
        do {
            let sender = try key.sender()
            guard
                let request = PushChannel.request(
                    message, to: subscription, from: sender, contact: contact(message.base), at: clock.now().wall)
            else { return .failed("the message could not be encrypted for this device", isFinal: true) }
            return PushChannel.outcome(await http.send(request))
        } catch {
            return .failed("\(error)", isFinal: true)
        }
    }

    /// The `sub` of the token. Some push services refuse a token without it.
    private func contact(_ base: String) -> String {
        settings.contact ?? (base.hasPrefix("https://") ? base : "mailto:cdev@example.com")
    }

    private func message(_ notice: Notice, _ channel: String, verbs: Set<Decision>) async -> Message {
        var secrets: [Decision: String] = [:]
        let offered = leadsAnywhere ? verbs.intersection(AnswerLink.verbs(for: notice)) : []
        if let request = notice.request, !offered.isEmpty {
            secrets = await links.make(offered, for: request, channel: channel)
        }
        return Message(notice: notice, includesDetails: settings.includesDetails, base: base(), secrets: secrets)
    }
}
