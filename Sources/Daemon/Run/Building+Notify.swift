import Core
import Notify
import Services
import Store

extension Building {
    /// How people are told. What the database does not give back is missing until a page subscribes again.
    static func notifier(
        _ settings: NotifySettings, _ options: ServeOptions, _ store: Store, devices: [Device],
        clock: any TimeSource, log: ServerLog, reach: Reach, remembered: Remembered
    ) async -> (Notifier, LinkBook) {
        var subscriptions: [PushSubscription] = []
        var links: [AnswerLink] = []
        do throws(StoreError) {
            subscriptions = try await store.pushSubscriptions()
            let kept = try await store.answerLinks(at: clock.now().wall)
            links = LinkBook.alive(kept, grants: settings.linkGrants, requests: remembered.requests)
            let alive = Set(links.map(\.hash))
            try await store.forgetAnswerLinks(kept.map(\.hash).filter { !alive.contains($0) })
        } catch {
            log.error("push subscriptions and answer links could not be read: \(error)")
        }
        let known = Set(devices.filter { $0.revokedAt == nil && $0.rights.contains(.decide) }.map(\.id))
        let pushes = PushBook(
            store: store, subscriptions: subscriptions.filter { known.contains($0.deviceID) },
            hosts: settings.pushHosts, keyPath: options.home + "/vapid.key", clock: clock)
        let book = LinkBook(
            store: store, links: links, grants: settings.linkGrants, clock: clock, log: log)
        let carrier = Carrier(
            settings: settings, courier: Courier(), links: book, pushes: pushes, clock: clock,
            base: { reach.baseURL.description }, leadsAnywhere: { !reach.leadsHereOnly })
        return (Notifier(settings: settings, carrier: carrier, pushes: pushes, clock: clock, log: log), book)
    }
}
