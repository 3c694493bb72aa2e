import Core
import OrderedJSON
import Testing

/// What those outside of the broker know: which hook asked what, what it heard, which cards were shown and how they
/// ended. Each step of the broker is held against it.
struct Record {
    let name: String
    private(set) var step = 0
    var asked: [Waiter: Posting] = [:]
    private(set) var answers: [Waiter: HookAnswer] = [:]
    private(set) var receipts: [Waiter: DeliveryReceipt] = [:]
    /// Nobody waits there any more, so no answer is owed.
    var left: Set<Waiter> = []

    private(set) var shown: [Opening: PermissionRequest] = [:]
    /// Calls that a rule allowed when they came, as they were logged.
    var ruled: [String: PermissionRequest] = [:]
    /// Cards whose end nobody was told.
    private(set) var open: Set<Opening> = []
    /// The last step after which a card still waited for a decision.
    private(set) var lastPending: [Opening: Int] = [:]
    private var ended: Set<Opening> = []
    private var eventsSeen = 0
    private var changesSeen = 0
    private var lastSequence: Int64 = 0

    var sayings = Sayings()
    var rules = RuleHistory()
    var allowances = Allowances()
    /// Seconds by which the clock was set back; the next daemon knows the age of a rule by the clock only.
    var setBack = 0.0
    /// Deny rules that were in force before the step.
    private(set) var denyRules: [SessionRule] = []

    /// The first word of a command that has to be confirmed with this word.
    static let confirmed = "cp"
    static let question: JSON = ["questions": [["question": "which?"]]]

    init(name: String) {
        self.name = name
    }

    /// Connections that wait for an answer.
    var waiting: [Waiter] {
        asked.keys.filter { answers[$0] == nil && !left.contains($0) }.sorted { $0.number < $1.number }
    }

    mutating func begin(_ stage: Stage) {
        step += 1
        denyRules = stage.state.rules(session: nil).filter { $0.effect == .deny }
    }

    /// Takes in what the step did and checks it; returns what hooks heard.
    mutating func note(_ stage: Stage) -> [(Waiter, HookAnswer)] {
        rules.note(stage)
        for rule in stage.state.rules(session: nil) {
            expect(rules.isInForce(rule.id, after: step), "\(rule.id) was taken back and is in force")
        }
        for event in stage.events[eventsSeen...] { note(event) }
        eventsSeen = stage.events.count
        for request in stage.pending {
            show(request)
            lastPending[Opening(request)] = step
        }
        for saying in sayings.takeSettled(stage.results) { check(saying, stage) }
        if let lost = rules.lostDeny(stage) { expect(false, "\(lost) was denied, which is forgotten") }
        let heard = hear(stage)
        for (waiter, _) in heard { check(waiter, stage) }
        changesSeen = stage.appended.count
        for opening in open {
            expect(stage.state.request(id: opening.id)?.isOpen == true, "\(opening) is lost")
        }
        return heard
    }

    private mutating func hear(_ stage: Stage) -> [(Waiter, HookAnswer)] {
        var heard: [(Waiter, HookAnswer)] = []
        for (waiter, replies) in stage.answers where asked[waiter] != nil {
            expect(replies.count == 1, "\(waiter) was answered twice")
            guard answers[waiter] == nil else { continue }
            expect(!left.contains(waiter), "\(waiter) was answered after it had left")
            answers[waiter] = replies[0]
            receipts[waiter] = stage.receipts[waiter]
            heard.append((waiter, replies[0]))
        }
        return heard.sorted { $0.0.number < $1.0.number }
    }

    private mutating func note(_ event: EventRecord) {
        expect(event.sequence > lastSequence, "the number \(event.sequence) was given before")
        lastSequence = event.sequence
        switch event.body {
        case .permission(let request):
            expect(!open.contains(Opening(request)), "\(Opening(request)) was shown twice")
            show(request)
            open.insert(Opening(request))
        case .permissionResolved(let request, let resolution, let corrects):
            checkEnd(resolution)
            guard !corrects else { return }
            expect(ended.insert(Opening(request)).inserted, "\(Opening(request)) ended twice")
            expect(open.remove(Opening(request)) != nil, "\(Opening(request)) ended and was never shown")
        case .sessionEnd(let session, _, "silent for a day"): rules.forgetDenies(session)
        default: break
        }
    }

    private mutating func show(_ request: PermissionRequest) {
        let opening = Opening(request)
        if let before = shown[opening] { expect(before.input == request.input, "\(opening) shows another input now") }
        shown[opening] = request
    }

    /// An allow is a person's word, a rule's, or what the terminal did by itself.
    private func checkEnd(_ resolution: Resolution) {
        guard resolution.decision == .allow else { return }
        switch resolution.resolver {
        case .device, .link, .local, .rule, .terminal: break
        default: expect(false, "allowed by \(resolution.resolver.spelling)")
        }
    }

    /// The card that an answer is about, as its sender saw it: the latest of a request, or the only open one of
    /// a call.
    func opening(of target: PermissionResponse.Target, _ stage: Stage) -> Opening? {
        switch target {
        case .request(let id): return shown.keys.filter { $0.id == id }.max { $0.number < $1.number }
        case .toolUse(let id):
            let open = shown.filter { opening, card in
                let now = stage.state.request(id: opening.id)
                return card.toolUseID == id && now?.isOpen == true && now?.opening == opening.number
            }
            return open.count == 1 ? open.first?.key : nil
        }
    }

    /// Whether people were shown another call under the id of Claude's that an answer names.
    func isUnclear(_ target: PermissionResponse.Target, _ opening: Opening?) -> Bool {
        guard case .toolUse(let id) = target, let opening, let card = shown[opening] else { return false }
        return shown.values.contains { $0.toolUseID == id && $0.id != card.id && !$0.isSameCall(as: card) }
    }

    /// Changes that were appended in this step.
    func logged(_ stage: Stage) -> [PermissionRequest] {
        stage.appended[changesSeen...].compactMap { change in
            if case .request(let request) = change { request } else { nil }
        }
    }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds { Issue.record("\(name), step \(step): \(text())") }
    }
}

/// The daemon's own life.
extension Record {
    /// Killed: whoever waited has to ask again, and what was not written is as if it had never been.
    mutating func daemonEnded(_ stage: Stage) {
        left.formUnion(waiting)
        rules.daemonEnded()
        allowances = Allowances(dialogs: allowances.dialogs)
        (eventsSeen, changesSeen, ended) = (0, 0, [])
        let written = Dictionary(uniqueKeysWithValues: stage.disk.remembered.requests.map { ($0.id, $0) })
        shown = shown.filter { opening, _ in written[opening.id].map { opening.number <= $0.opening } ?? false }
        let cards = written.values.filter(\.isOpen)
        for card in cards { show(card) }
        open = Set(cards.map(Opening.init))
        sayings.daemonEnded(open: open, known: Set(shown.keys))
    }

    /// After the sessions have ended.
    func checkEnd(_ stage: Stage) {
        expect(stage.pending.isEmpty && open.isEmpty, "open after the sessions ended")
        expect(waiting.isEmpty, "\(waiting) hang")
        expect(sayings.areSettled, "somebody who answered was not told what became of that")
    }
}
