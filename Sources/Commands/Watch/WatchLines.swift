import Glibc
import OrderedJSON
import TerminalView

/// `cdev watch` without a screen: prints each request and each resolution as lines, and takes no keys.
struct WatchLines {
    private var connection: WatchConnection
    private let report: LineReport
    private let isQuiet: Bool
    private var open: [String: Card] = [:]
    private var isOffline = false

    init(socketPath: String, isQuiet: Bool, environment: [String: String]) {
        connection = WatchConnection(socketPath: socketPath)
        report = LineReport(charset: Charset(environment: environment))
        // A bell character belongs on a terminal, not in a file.
        self.isQuiet = isQuiet || isatty(STDOUT_FILENO) != 1
    }

    mutating func run() {
        while true {
            var files = [
                pollfd(fd: connection.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                // Polled for no event: it only shows that the reader of the output is gone.
                pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
            ]
            let wait = min(60_000, max(0, connection.wakeAt - Moment.now.uptime))
            guard poll(&files, 2, Int32(wait)) > 0 || errno == EINTR || files[0].revents == 0 else { return }
            if files[1].revents & Int16(POLLERR | POLLHUP) != 0 { return }
            if files[0].revents != 0 { take(connection.receive(at: Moment.now.uptime)) }
            take(connection.attend(at: Moment.now.uptime))
        }
    }

    private mutating func take(_ events: [WatchEvent]) {
        for event in events {
            switch event {
            case .connected(let features, let cards): connected(features, cards)
            case .event("pty_permission", let params): if let card = Card(params) { arrived(card) }
            case .event("pty_permission_resolved", let params):
                Terminal.write(report.ended(params, id: short(params.text("request_id")), time: now))
                open[params.text("request_id")] = nil
            case .lost(let reason, _):
                if !isOffline { note("offline: \(reason); trying again") }
                isOffline = true
            case .event(let name, let params): if let news = Announcement(event: name, params) { note(news.text) }
            default: continue
            }
        }
    }

    private mutating func connected(_ features: Features, _ cards: [JSON]) {
        if isOffline { note("online again") }
        isOffline = false
        if !features.mayDecide { note("this runs inside an agent: requests are not held for it") }
        let now = cards.compactMap(Card.init)
        for id in open.keys.filter({ id in !now.contains { $0.requestID == id } }).sorted() {
            open[id] = nil
            note("\(short(id)) ended while offline; `cdev log` says how")
        }
        for card in now { arrived(card) }
    }

    private mutating func arrived(_ card: Card) {
        guard open[card.requestID]?.opening != card.opening else { return }
        open[card.requestID] = card
        if !isQuiet { Terminal.write("\u{07}") }
        let left = card.deadline.map { PeopleTime.left(until: $0, now: PeopleTime.now) } ?? ""
        Terminal.write(report.arrived(whole(card), id: short(card.requestID), left: left, time: now))
    }

    private mutating func whole(_ card: Card) -> Card {
        guard card.isCut else { return card }
        let events = connection.perform(.askWhole(requestID: card.requestID), at: Moment.now.uptime)
        for case .whole(_, let params?) in events { return Card(params) ?? card }
        return card
    }

    private func note(_ text: String) {
        Terminal.write(report.note(text, time: now))
    }

    private var now: String { PeopleTime.clock(PeopleTime.now, now: PeopleTime.now) }

    private func short(_ id: String) -> String { ShortID.text(id, among: Array(open.keys)) }
}
