import Core
import Notify
import Services
import Store

extension Building {
    /// How people are told. What the database does not give back is missing until a page subscribes again.
    static func notifier(
        _ settings: NotifySettings, _ options: ServeOptions, _ store: Store,
        register: DeviceRegister, devices: [Device], source: any SecretSource, changed: ChangeSignal,
        clock: any TimeSource, log: ServerLog, reach: Reach, remembered: Remembered
    ) async -> (Notifier, AnswerLinks) {
        var subscriptions: [PushSubscription] = []
        var links: [AnswerLink] = []
        do throws(StoreError) {
            subscriptions = try await store.pushSubscriptions()
            let kept = try await store.answerLinks(at: clock.now().wall)
            links = AnswerLinks.alive(kept, grants: settings.linkGrants, requests: remembered.requests)
            let alive = Set(links.map(\.hash))
            try await store.forgetAnswerLinks(kept.map(\.hash).filter { !alive.contains($0) })
        } catch {
            log.error("push subscriptions and answer links could not be read: \(error)")
        }
        let known = Set(devices.filter { $0.revokedAt == nil && $0.rights.contains(.decide) }.map(\.id))
        let key = PushKeyFile(path: options.home + "/vapid.key", hosts: settings.pushHosts)
        let pushes = PushSubscriptions(
            subscriptions.filter { known.contains($0.deviceID) }, store: store, sender: key, register: register,
            clock: clock)
        let answerLinks = AnswerLinks(
            store: store, links: links, grants: settings.linkGrants, source: source, clock: clock, log: log)
        let sender = ChannelSender(
            settings: settings, courier: Courier(), links: answerLinks, pushes: pushes, key: key, clock: clock,
            base: { reach.baseURL.description }, leadsAnywhere: { !reach.leadsHereOnly })
        let notifier = Notifier(
            policy: settings.policy, channels: settings.channels(), sender: sender, links: answerLinks, pushes: pushes,
            changed: changed, clock: clock, log: log)
        return (notifier, answerLinks)
    }
}
