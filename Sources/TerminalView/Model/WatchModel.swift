import Core

/// The state of `cdev watch`: takes events and returns effects. It does no I/O and reads no clock.
package struct WatchModel: Sendable {
    enum Connection: Sendable, Hashable {
        case connecting
        case offline(String, retryAt: Int64)
        case online
    }

    var entries: [Entry] = []
    /// The request that keys act on. It stays selected after its end until the person goes on or `lingering` has
    /// passed.
    var selection: String?
    /// The time at which the selected request ended.
    var endedAt: Int64 = 0
    var prompt = Prompt.none
    /// The rows of views, as they came last; none for a view that has not come yet.
    var views: [WatchView: [ViewRow]] = [:]
    /// The transcript on the screen, if there is one.
    var transcript = FollowedTranscript()
    /// True if the last frame showed it below the list.
    var isTranscriptShown = false
    /// True while its page in the card's place shows what comes; false once somebody has scrolled up.
    var isAtEnd = true
    /// The session that was followed last, and the one that was active last; empty if there is none.
    var lastFollowed = ""
    var latestSession = ""
    /// The rule whose number was pressed; `y` revokes it.
    var revoking: String?
    var notice = StatusLine("")
    var connection = Connection.connecting
    var features = Features()
    var scroll = 0
    var arming = Arming()
    /// The last opening that ended, by request, as reported on this connection: a list made before must not reopen it.
    var endings: [String: Int] = [:]
    /// Root directories of sessions; empty if the daemon knows none.
    var roots: [String: String] = [:]
    /// Sentences about sessions whose mode asks less than usual, by session.
    var modeNotes: [String: String] = [:]
    /// Sessions with the unusual mode in which they made a call; and those of them that the status line told.
    var callsInModes: Set<String> = []
    var toldModes: Set<String> = []
    /// True while the sessions are being asked for; one reply names all of them, and may be large.
    var isAskingRoots = false
    /// The rows of the card's area and of its page, as they were last drawn.
    var viewport = Viewport()
    package var hasEditor: Bool

    struct Viewport: Sendable, Hashable {
        var rows = 1
        var documentRows = 0
    }

    /// Milliseconds for which an ended card stays selected if no key is pressed.
    static let lingering: Int64 = 2000

    /// - Parameter hasEditor: True if `$VISUAL` or `$EDITOR` names an editor.
    package init(hasEditor: Bool = false) {
        self.hasEditor = hasEditor
    }

    package mutating func handle(_ event: WatchEvent, at now: Moment) -> [WatchEffect] {
        let effects = react(to: event, at: now)
        return effects + follow()
    }

    private mutating func react(to event: WatchEvent, at now: Moment) -> [WatchEffect] {
        switch event {
        case .answered(let id, let result): return answered(id, result, now)
        case .connected(let features, let cards): return connected(features, cards, now)
        case .edited(let id, let text): return edited(id, text)
        case .event(let name, let params): return heard(name, params, now)
        case .key(let key): return press(key, isAlone: true, now)
        case .keys(let keys): return keys.flatMap { press($0, isAlone: false, now) }
        case .lost(let reason, let retryAt): return lost(reason, retryAt)
        case .preview(let id, let json): return previewed(id, json)
        case .revoked(let result): return revoked(result)
        case .sessions(let list): return learn(list)
        case .tick: return tick(now)
        case .transcript(let session, let news): return read(session, news)
        case .view(let view, let rows): return viewed(view, rows)
        case .whole(let id, let json): return whole(id, json)
        }
    }

    /// Notes that the frame is on the screen.
    package mutating func drew(_ frame: Frame, at now: Moment) {
        arming.draw(frame.subject, at: now.uptime)
        viewport = frame.viewport
        isTranscriptShown = frame.showsTranscript
        scroll = prompt == .transcript && isAtEnd ? maxScroll : min(scroll, maxScroll)
        guard let id = frame.subject?.requestID, let index = entries.firstIndex(where: { $0.card.requestID == id })
        else { return }
        entries[index].isNew = false
        if let (page, seen) = frame.seen { entries[index].note(seen, on: page) }
    }

    var maxScroll: Int { max(0, viewport.documentRows - viewport.rows) }

    /// Scrolls down, but past no row that was not on the screen: several keys that come at once are one step, because
    /// nothing is drawn between them.
    mutating func scrollDown(_ rows: Int) {
        var farthest = maxScroll
        if !prompt.hidesCard, let selected, !selected.isSeen(on: page) {
            farthest = min(farthest, selected.seen[page]?.rows ?? 0)
        }
        scroll = max(scroll, min(scroll + rows, farthest))
    }

    var selectedIndex: Int? { selection.flatMap { id in entries.firstIndex { $0.card.requestID == id } } }
    var selected: Entry? { selectedIndex.map { entries[$0] } }
    /// The page that the selected card shows.
    var page: Entry.Page {
        if prompt == .session { return .patterns }
        return selected?.changed == nil ? .card : .change
    }

    var openCount: Int { entries.count { !$0.hasEnded } }

    func project(of card: Card) -> String {
        let root = roots[card.sessionID] ?? ""
        return Card.name(of: root.isEmpty ? card.cwd : root)
    }

    mutating func say(_ text: String, _ kind: StatusLine.Kind = .plain) {
        notice = StatusLine(text, kind)
    }

    /// Selects a card, or none; a prompt about the card before is closed.
    mutating func select(_ id: String?) -> [WatchEffect] {
        selection = id
        scroll = prompt == .transcript ? scroll : 0
        prompt = prompt.hidesCard ? prompt : .none
        return askForPreview()
    }

    /// Sorts by deadline, the soonest first, then by id.
    mutating func sort() {
        entries.sort { left, right in
            let farthest = Timestamp(milliseconds: .max)
            return (left.card.deadline ?? farthest, left.card.requestID)
                < (right.card.deadline ?? farthest, right.card.requestID)
        }
    }

    mutating func askForPreview() -> [WatchEffect] {
        guard connection == .online, features.previews, features.mayDecide, let index = selectedIndex else { return [] }
        let entry = entries[index]
        let isShown = [.fileChanges, .plan].contains(entry.card.tool.kind)
        guard entry.isOpen, !entry.hasAskedPreview, !entry.card.isUnverified, isShown
        else { return [] }
        entries[index].hasAskedPreview = true
        return [.askPreview(requestID: entry.card.requestID)]
    }
}
