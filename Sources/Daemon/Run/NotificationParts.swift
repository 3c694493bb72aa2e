import Core
import Notify
import Platform
import Services
import Transport

/// The parts that notify people who are not connected.
struct NotificationParts {
    let notifier: Notifier
    let links: AnswerLinks

    init(
        _ resources: Resources, home: String, register: DeviceRegister, source: any SecretSource, changed: ChangeSignal
    ) {
        let settings = resources.configuration.notify
        let (store, clock, log, reach) = (resources.store, resources.clock, resources.log, resources.reach)
        let approvers = Set(
            resources.devices.filter { $0.revokedAt == nil && $0.rights.contains(.decide) }.map(\.id))
        let key = PushKeyFile(path: home + "/vapid.key", hosts: settings.pushHosts)
        let pushes = PushSubscriptions(
            resources.notices.subscriptions.filter { approvers.contains($0.deviceID) }, store: store, sender: key,
            register: register, clock: clock)
        let apps = PushRegistrations(
            resources.notices.registrations, store: store, register: register,
            isConfigured: resources.apnsToken != nil)
        links = AnswerLinks(
            store: store, links: resources.notices.links, grants: settings.linkGrants, source: source, clock: clock,
            log: log)
        let sender = ChannelSender(
            settings: settings, links: links, pushes: pushes, key: key, apps: apps, apnsToken: resources.apnsToken,
            clock: clock,
            base: { reach.baseURL.description }, leadsAnywhere: !reach.leadsHereOnly)
        notifier = Notifier(
            policy: settings.policy, channels: Self.channels(settings, reach, log), sender: sender, links: links,
            pushes: pushes, apps: apps, changed: changed, clock: clock, log: log)
    }

    /// The configured channels. If links lead to an address that only this machine can open, channels that send links
    /// cannot lead to an answer. Push messages can: they open the page at the address where the browser subscribed.
    private static func channels(_ settings: NotifySettings, _ reach: Reach, _ log: ServerLog) -> [NoticeChannel] {
        guard reach.leadsHereOnly else { return settings.channels() }
        let obstacle = "its links lead to \(reach.baseURL), which only this machine can open"
        let channels = settings.channels(obstacle: obstacle)
        for channel in channels where channel.obstacle != nil {
            log.warning("no answer can come of a channel: \(obstacle); set public_url", ["channel": channel.id])
        }
        return channels
    }
}
