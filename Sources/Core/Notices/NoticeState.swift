/// Decides what is notified, through which channel and when. Every input takes the time and returns effects; nothing
/// here waits, sends or reads a clock.
package struct NoticeState: Sendable {
    let policy: NoticePolicy
    var cards: [String: Card] = [:]
    /// Notices without a request that wait for their time, by tag.
    var later: [String: Later] = [:]
    /// The time of each session's last sound, and its notification.
    var sounds: [String: Sound] = [:]
    var presences: [String: Presence] = [:]
    var channels: [String: ChannelState] = [:]
    var threads: [ThreadKey: Thread] = [:]
    var inFlight: [UInt64: ThreadKey] = [:]
    var lastNumber: UInt64 = 0

    /// An open request.
    struct Card: Sendable {
        let request: PermissionRequest
        var due: Uptime
        /// The tag of its notification; `nil` before there was one.
        var tag: String?
    }

    struct Later: Sendable {
        let subject: Notice.Subject
        let due: Uptime
    }

    struct Sound: Sendable {
        /// `nil` if the notification was not about a request.
        let tag: String?
        let at: Uptime
    }

    struct Presence: Sendable {
        let lastInput: Uptime
    }

    struct ChannelState: Sendable {
        var channel: NoticeChannel
        var health = NoticeHealth()
        var owed: Owed?
    }

    /// A notice that a failing channel did not take, tried again every `policy.probing` seconds.
    struct Owed: Sendable {
        var notice: Notice
        var at: Uptime
        let since: Uptime
    }

    struct ThreadKey: Sendable, Hashable, Comparable {
        let channel: String
        let subject: String

        static func < (left: ThreadKey, right: ThreadKey) -> Bool {
            (left.channel, left.subject) < (right.channel, right.subject)
        }
    }

    /// The deliveries to one channel about one subject: one attempt at a time, so that a later notice cannot arrive
    /// before an earlier one.
    struct Thread: Sendable {
        var sending: Notice?
        /// Sent next; a newer notice replaces it.
        var next: Notice?
        var attempts = 0
        var notBefore: Uptime?
        var wasDelivered = false
        var isProbe = false
    }

    /// The most entries of `presences`, `sounds` and `later`; where one is full even without its expired entries, a
    /// further entry is not taken. `cards` needs no limit: the broker bounds the open requests.
    static let mostPresences = 256
    static let mostSounds = 1024
    static let mostLater = 256

    package init(policy: NoticePolicy = NoticePolicy(), channels: [NoticeChannel] = []) {
        self.policy = policy
        for channel in channels { self.channels[channel.id] = ChannelState(channel: channel) }
    }

    // MARK: Channels

    /// Adds a channel; an equal one that is there already keeps its state.
    package mutating func add(_ channel: NoticeChannel) {
        guard channels[channel.id]?.channel != channel else { return }
        channels[channel.id] = ChannelState(channel: channel)
    }

    /// Replaces what is known of a channel that is there; its deliveries go on.
    package mutating func update(_ channel: NoticeChannel) { channels[channel.id]?.channel = channel }

    package mutating func remove(channel id: String) {
        channels[id] = nil
        for key in threads.keys where key.channel == id { threads[key] = nil }
        inFlight = inFlight.filter { $0.value.channel != id }
    }

    /// Every channel and its health, sorted by id.
    package var overview: [(channel: NoticeChannel, health: NoticeHealth)] {
        channels.values.map { ($0.channel, $0.health) }.sorted { $0.0.id < $1.0.id }
    }

    /// The number of channels that can lead to an answer and do not fail: each counts as an approver.
    package var reachable: Int {
        channels.values.count { $0.channel.answers && $0.health.failure == nil }
    }

    // MARK: Time

    /// The time at which `timePassed` is to be called; `nil` if nothing waits.
    package var nextWake: Uptime? {
        let cards = self.cards.values.lazy.filter { $0.tag == nil }.map(\.due).min()
        let retries = threads.values.lazy.compactMap { $0.next == nil ? nil : $0.notBefore }.min()
        let owed = channels.values.lazy.compactMap { $0.owed?.at }.min()
        return [cards, later.values.lazy.map(\.due).min(), retries, owed].compactMap { $0 }.min()
    }

    package mutating func timePassed(at now: Instant) -> [NoticeEffect] {
        let due = cards.values.filter { $0.tag == nil && $0.due <= now.uptime }
            .sorted { ($0.due, $0.request.id) < ($1.due, $1.request.id) }
        var effects = due.flatMap { tell($0, at: now) }
        for (tag, entry) in later.sorted(by: { $0.key < $1.key }) where entry.due <= now.uptime {
            later[tag] = nil
            effects += tell(entry.subject, tag: tag, at: now)
        }
        effects += probe(at: now)
        for key in threads.keys.sorted() { effects += start(key, at: now) }
        return effects
    }
}
