import Core
import OrderedJSON
import TerminalView

extension Command {
    static let pending = Command(
        "pending", summary: "show open requests",
        details: "With --follow it counts as an approver: while it runs, requests are held for you.",
        options: [CommandOption("--follow", nil, "go on, and show each as it comes and goes"), .json]
    ) { invocation in
        let places = try Places(invocation)
        guard invocation.has("--follow") else { return try list(invocation, places.client) }
        try PendingFollower(invocation, places).run()
    }

    private static func list(_ invocation: Invocation, _ client: DaemonClient) throws(CommandFailure) {
        let cards = try client.pending()
        let result: JSON = ["requests": .array(cards), "count": .number(JSONNumber(cards.count)), "more": 0]
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(result.objectValue ?? [:])) }
        if cards.isEmpty { return Terminal.write("nothing is waiting\n") }
        let ids = cards.map { $0.text("request_id") }
        let paint = Paint(invocation.environment)
        Terminal.write(cards.map { RequestBlock.text($0, among: ids, paint) }.joined())
    }
}

/// `cdev pending --follow`: prints requests as they come and go, and connects again after a loss.
struct PendingFollower {
    private let invocation: Invocation
    private let places: Places
    private let paint: Paint
    /// The cards that were shown of requests that have not ended, by id: a listed request may come as an event as well.
    private var open: [String: JSON] = [:]
    private var modes = ModeNotes()

    init(_ invocation: Invocation, _ places: Places) {
        self.invocation = invocation
        self.places = places
        paint = Paint(invocation.environment)
    }

    func run() throws(CommandFailure) {
        var follower = self
        try Following.run(places, name: "cdev pending", isApprover: true, invocation) {
            (stream: inout EventStream) throws(CommandFailure) in
            try follower.follow(&stream)
        }
    }

    private mutating func follow(_ stream: inout EventStream) throws(CommandFailure) {
        let cards = try places.client.pending()
        if cards.isEmpty, !invocation.wantsJSON {
            Following.say("waiting for requests, which are held for you; Ctrl-C ends")
        }
        let now = Set(cards.map { $0.text("request_id") })
        for id in open.keys.filter({ !now.contains($0) }).sorted() {
            open[id] = nil
            guard !invocation.wantsJSON else { continue }
            Terminal.write("\(ShortID.text(id, among: [])) ended meanwhile; `cdev log` says how\n")
        }
        for card in cards { show(card) }
        while let event = try stream.next() {
            switch event.name {
            case "pty_permission": show(event.params)
            case "pty_permission_resolved": ended(event.params)
            case "claude_hook_tool_start": called(event.params)
            default: announce(event.name, event.params)
            }
        }
    }

    private mutating func show(_ card: JSON) {
        let shown: JSON = .array(["opening", "tool_input", "patterns"].map { card[$0] ?? .null })
        guard open.updateValue(shown, forKey: card.text("request_id")) != shown else { return }
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(["event": "pty_permission", "params": card])) }
        Terminal.write(RequestBlock.text(card, among: Array(open.keys), paint))
    }

    /// Shows events besides requests that an approver should know of, such as an agent that tried to answer, or a new
    /// device.
    private func announce(_ name: String, _ params: JSON) {
        guard let announcement = Announcement(event: name, params) else { return }
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(["event": .string(name), "params": params])) }
        let text = announcement.text.shown(400)
        Terminal.write((announcement.isAlarming ? paint.warning(text) : text) + "\n")
    }

    /// Says that a session makes calls of which no request comes.
    private mutating func called(_ call: JSON) {
        guard !invocation.wantsJSON, let note = modes.note(on: call, places.client) else { return }
        Terminal.write(paint.warning(note) + "\n")
    }

    private mutating func ended(_ end: JSON) {
        let id = end.text("request_id")
        let short = ShortID.text(id, among: Array(open.keys))
        open[id] = nil
        if invocation.wantsJSON {
            return Terminal.write(ListOutput.json(["event": "pty_permission_resolved", "params": end]))
        }
        Terminal.write("\(short)  \(DecisionWords.text(end, paint))\(DecisionWords.clause(end))\n")
    }
}

/// A decision as people read it.
enum DecisionWords {
    static func text(_ end: JSON, _ paint: Paint) -> String {
        let decision = end.text("decision")
        return paint.decision(decision, OutcomeWords.decision(decision, scope: end.text("scope")).shown(60))
    }

    /// The person, rule or circumstance behind a decision.
    static func cause(_ end: JSON) -> String { OutcomeWords.cause(end.text("resolved_by")).shown(80) }

    /// The reason in parentheses; empty where decision and cause say it all, as of most answers of people.
    static func reason(_ end: JSON) -> String {
        let more = OutcomeWords.more(end.text("reason"), than: end.text("decision"), by: end.text("resolved_by"))
        return more.isEmpty ? "" : " (\(more.shown(160)))"
    }

    /// The cause, to stand directly behind the decision.
    static func clause(_ end: JSON) -> String { OutcomeWords.clause(end.text("resolved_by")).shown(80) }
}
