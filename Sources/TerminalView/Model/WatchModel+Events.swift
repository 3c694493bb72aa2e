import Core
import OrderedJSON

/// Handles the daemon's events and results.
extension WatchModel {
    mutating func connected(_ features: Features, _ cards: [JSON], _ now: Moment) -> [WatchEffect] {
        let isBack = connection != .connecting
        connection = .online
        self.features = features
        let known = Set(entries.filter { !$0.hasEnded }.map(\.card.requestID))
        let open = cards.compactMap(Card.init).filter { (endings[$0.requestID] ?? 0) < $0.opening }
        let openIDs = Set(open.map(\.requestID))
        for entry in entries where !entry.hasEnded && !openIDs.contains(entry.card.requestID) {
            if case .sending(let what) = entry.phase {
                end(
                    entry.card.requestID,
                    "the connection broke while sending \(what); `cdev log` says what became of it", now)
            } else {
                end(entry.card.requestID, "ended while we were offline", now)
            }
        }
        var effects = open.flatMap { add($0) }
        if isBack, openCount == known.count { say("online again", .good) }
        if !features.mayDecide {
            say("this terminal runs inside an agent: the daemon lets it look, not answer", .bad)
        }
        // Answers without a reply when the connection broke: a request that is still open was not answered.
        for index in entries.indices {
            guard case .sending(let what) = entries[index].phase, openIDs.contains(entries[index].card.requestID)
            else { continue }
            entries[index].phase = .open
            say("the connection broke while sending \(what): it was not taken, the request is still open", .bad)
        }
        if isBack, !openIDs.subtracting(known).isEmpty { effects.append(.bell) }
        isAskingRoots = true
        return effects + selectIfNone() + [.askSessions]
    }

    mutating func lost(_ reason: String, _ retryAt: Int64) -> [WatchEffect] {
        connection = .offline(reason, retryAt: retryAt)
        transcript.isStale = true
        endings = [:]
        for index in entries.indices { entries[index].hasAskedPreview = false }
        return []
    }

    mutating func heard(_ name: String, _ params: JSON, _ now: Moment) -> [WatchEffect] {
        // Shown on the status line, which has a row of its own, so that no card moves.
        if let announcement = Announcement(event: name, params) {
            say(announcement.text, announcement.isAlarming ? .bad : .plain)
            return announcement.isAlarming ? [.bell] : []
        }
        let news = noteActivity(name, params)
        switch name {
        case "claude_hook_tool_start": return called(params) + news
        case "pty_permission":
            guard let card = Card(params), (endings[card.requestID] ?? 0) < card.opening else { return [] }
            let isKnown = entries.contains { $0.card.requestID == card.requestID && !$0.hasEnded }
            let bell: [WatchEffect] = isKnown ? [] : [.bell]
            return add(card) + bell + askForRoots() + selectIfNone()
        case "pty_permission_resolved":
            resolved(params, now)
            if case .view(let view) = prompt { return [.askView(view)] }
            return []
        default: return news
        }
    }

    /// Adds a card, or replaces the known one of its request.
    private mutating func add(_ card: Card) -> [WatchEffect] {
        if let index = entries.firstIndex(where: { $0.card.requestID == card.requestID }) {
            // A list may hold a cut copy of a card that is here whole.
            if card.isCut, !entries[index].card.isCut, entries[index].card.opening == card.opening { return [] }
            entries[index].replace(with: card)
        } else {
            entries.append(Entry(card))
        }
        sort()
        return card.isCut ? [.askWhole(requestID: card.requestID)] : []
    }

    private mutating func resolved(_ params: JSON, _ now: Moment) {
        let id = params.text("request_id")
        let opening = params["opening"]?.intValue ?? 1
        endings[id] = max(endings[id] ?? 0, opening)
        if params["corrects"]?.boolValue == true {
            say("corrected: \(params.text("tool_name")) \(params.text("target")): \(Self.ending(params))", .bad)
        }
        guard let entry = entries.first(where: { $0.card.requestID == id }), entry.card.opening <= opening else {
            return
        }
        end(id, Self.ending(params), now, Entry.Outcome(params.text("decision")))
    }

    /// The decision and the resolver, in words.
    static func ending(_ params: JSON) -> String {
        OutcomeWords.text(params.text("decision"), scope: params.text("scope"), by: params.text("resolved_by"))
    }

    mutating func end(_ id: String, _ how: String, _ now: Moment, _ outcome: Entry.Outcome = .other) {
        guard let index = entries.firstIndex(where: { $0.card.requestID == id }), !entries[index].hasEnded else {
            return
        }
        let card = entries[index].card
        if selection == id {
            // The selected card stays until the person goes on: another card in its place could take a key that was
            // meant for it.
            entries[index].phase = .ended(how, outcome)
            endedAt = now.uptime
        } else {
            entries.remove(at: index)
        }
        say("\(card.tool.name) \(card.summary): \(how)")
    }

    mutating func answered(_ id: String, _ result: Result<JSON, RPCFailure>, _ now: Moment) -> [WatchEffect] {
        let index = entries.firstIndex { $0.card.requestID == id }
        let summary = index.map { entries[$0].card.summary } ?? id
        switch result {
        case .success(let receipt):
            say(Self.receipt(receipt) + ": " + summary, .good)
            // Only an answer from this terminal moves on to the next card.
            if let index { entries.remove(at: index) }
            return selection == id ? select(entries.first?.card.requestID) : []
        case .failure(let failure):
            if let decision = failure.data["decision"]?.stringValue {
                let who = failure.data.text("resolved_by")
                let how = Self.ending(["decision": .string(decision), "resolved_by": .string(who)])
                end(id, how, now, Entry.Outcome(decision))
                say("too late, nothing done: it was " + Self.ending(failure.data), .bad)
            } else {
                if failure.data["refused"] != nil { features.mayDecide = false }
                say("not taken: " + failure.message, .bad)
                if let index, !entries[index].hasEnded { reopen(index, failure) }
            }
            return []
        }
    }

    /// The daemon did not take the answer, so the card is open again. An edited command may need a confirming word that
    /// its card did not ask for.
    private mutating func reopen(_ index: Int, _ failure: RPCFailure) {
        entries[index].phase = .open
        guard failure.data["confirm"] != nil, let approval = entries[index].approval,
            selection == entries[index].card.requestID, prompt == .none
        else { return }
        prompt = .word(LineEditor(), approval)
    }

    private static func receipt(_ receipt: JSON) -> String {
        let word = OutcomeWords.decision(receipt.text("decision"))
        let rules = receipt.list("rules").map { $0.text("pattern") }
        let scope = rules.isEmpty ? "" : ", and for the session " + rules.joined(separator: ", ")
        let sent = receipt["sent"]?.boolValue == true ? " (sent, not taken yet)" : ""
        return word + scope + sent
    }

    mutating func previewed(_ id: String, _ json: JSON?) -> [WatchEffect] {
        guard let index = entries.firstIndex(where: { $0.card.requestID == id }), let json,
            let preview = CardPreview(json), preview != entries[index].preview
        else { return [] }
        entries[index].preview = preview
        entries[index].revision += 1
        return []
    }

    mutating func whole(_ id: String, _ json: JSON?) -> [WatchEffect] {
        guard let json, let card = Card(json), card.requestID == id,
            let entry = entries.first(where: { $0.card.requestID == id }), entry.card.opening == card.opening,
            !entry.hasEnded, !card.isCut
        else { return [] }
        return add(card)
    }

    mutating func viewed(_ view: WatchView, _ rows: [ViewRow]?) -> [WatchEffect] {
        if let rows { views[view] = rows } else { say("the daemon did not tell", .bad) }
        return []
    }

    private mutating func askForRoots() -> [WatchEffect] {
        guard !isAskingRoots, entries.contains(where: { roots[$0.card.sessionID] == nil }) else { return [] }
        isAskingRoots = true
        return [.askSessions]
    }

    mutating func learn(_ sessions: [JSON]) -> [WatchEffect] {
        isAskingRoots = false
        learnModes(sessions)
        learnLatest(sessions)
        for session in sessions { roots[session.text("session_id")] = session.text("root") }
        // The daemon does not know the sessions it did not list: asking again would not help.
        for entry in entries where roots[entry.card.sessionID] == nil { roots[entry.card.sessionID] = "" }
        return []
    }

    mutating func tick(_ now: Moment) -> [WatchEffect] {
        guard let selected, selected.hasEnded, prompt == .none || prompt.hidesCard,
            now.uptime - endedAt >= Self.lingering
        else {
            return []
        }
        return leave(selected.card.requestID)
    }

    /// Removes a card that has ended and selects the next.
    mutating func leave(_ id: String) -> [WatchEffect] {
        let index = entries.firstIndex { $0.card.requestID == id } ?? 0
        entries.removeAll { $0.card.requestID == id }
        return select(entries.isEmpty ? nil : entries[min(index, entries.count - 1)].card.requestID)
    }

    private mutating func selectIfNone() -> [WatchEffect] {
        selectedIndex == nil ? select(entries.first?.card.requestID) : askForPreview()
    }
}
