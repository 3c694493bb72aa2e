import OrderedJSON

/// Turns keys into answers.
extension WatchModel {
    mutating func decide(_ decision: KeyDecision, isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        // The selected card has ended: the key only goes on to the next card.
        if let selected, selected.hasEnded {
            _ = mayAct(isAlone: isAlone, now)
            return leave(selected.card.requestID)
        }
        if isForForm(decision), selected?.form == nil {
            arming.disturb(at: now.uptime)
            return []
        }
        let decides = decision == .send || !isForForm(decision)
        guard let entry = mayAct(isAlone: isAlone, decides: decides, now) else { return [] }
        switch decision {
        case .allow: return approve(entry, .once)
        case .claude: return send(entry, ["decision": "ask"], "\"answer in terminal\"")
        case .deny: return send(entry, ["decision": "deny"], "deny")
        case .denyWithMessage: ask(.message(LineEditor()), "Enter denies and tells Claude this, Esc: nothing done")
        case .edit: return edit(entry)
        case .option(let number): return choose(number)
        case .own: ask(.own(LineEditor()), "Enter takes this as the answer, Esc: nothing done")
        case .question(let step): change { $0.move(step) }
        case .send: return sendAnswers(entry)
        case .session: return offerSession(entry)
        }
        return []
    }

    mutating func ask(_ next: Prompt, _ text: String) {
        prompt = next
        if next == .session { scroll = 0 }
        say(text)
    }

    private func isForForm(_ decision: KeyDecision) -> Bool {
        switch decision {
        case .option, .own, .question, .send: true
        default: false
        }
    }

    /// Changes the answers chosen in the selected card. The delay does not start again: the person changed the page.
    private mutating func change(_ body: (inout AnswerForm) -> Void) {
        guard let index = selectedIndex, var form = entries[index].form else { return }
        body(&form)
        entries[index].form = form
    }

    private mutating func choose(_ number: Int) -> [WatchEffect] {
        var isThere = false
        change { isThere = $0.choose(number) }
        say(isThere ? "Enter sends the answers" : "there is no option \(number)")
        return []
    }

    private mutating func sendAnswers(_ entry: Entry) -> [WatchEffect] {
        guard let answers = entry.form?.answers else {
            change { _ = $0.goToMissing() }
            say("this question has no answer yet: press a number, or o for your own words")
            return []
        }
        guard requireSeen(entry, [.card]) else { return [] }
        return send(entry, ["decision": "allow", "answers": answers], "answers")
    }

    /// The checks before every kind of allow.
    mutating func approve(_ entry: Entry, _ wanted: Prompt.Approval) -> [WatchEffect] {
        // The command on the screen is the one to allow: the edited one, if there is one.
        let approval = entry.changed == nil ? wanted : .changed
        guard entry.card.tool.kind != .question else {
            say("answer with the numbers, then Enter; or m to say something else")
            return []
        }
        guard !entry.card.isCut else {
            say("not all of this card is here, so it cannot be allowed here; deny it, or p", .bad)
            return []
        }
        guard requireSeen(entry, [page]) else { return [] }
        guard approval != .session else {
            ask(.session, "y allows this and what is listed for the session, n: nothing done")
            return []
        }
        return allow(entry, approval)
    }

    /// False, and a status line with the reason, unless every row of these pages has been on the screen.
    mutating func requireSeen(_ entry: Entry, _ pages: [Entry.Page]) -> Bool {
        guard let page = pages.first(where: { !entry.isSeen(on: $0) }) else { return true }
        // While a text is typed, the keys that show more are letters.
        if prompt.editor != nil { prompt = .none }
        let count = entry.unseenRows(on: page).map { "\($0) " } ?? ""
        say("\(count)more lines not shown yet, so it cannot be allowed: space shows them", .bad)
        return false
    }

    /// Sends the allow, after the word that the card demands has been typed. What is allowed is checked again: the card
    /// may have changed while a prompt was open.
    mutating func allow(_ entry: Entry, _ approval: Prompt.Approval, word: String? = nil) -> [WatchEffect] {
        let pages: [Prompt.Approval: [Entry.Page]] = [
            .changed: [.change], .once: [.card], .session: [.card, .patterns],
        ]
        guard requireSeen(entry, pages[approval] ?? []) else { return [] }
        if entry.card.confirmPrompt != nil, word == nil {
            let word = entry.card.confirmPrompt ?? ""
            ask(.word(LineEditor(), approval), "type \(word) and Enter to allow it, Esc: nothing done")
            return []
        }
        var params: JSONObject = ["decision": "allow"]
        switch approval {
        case .changed: params["updated_input"] = entry.updatedInput
        case .once: break
        case .session:
            params["scope"] = "session"
            // The patterns are named even if all are meant: a card that was opened again may offer others by now.
            params["patterns"] = .array(entry.patterns.map(JSON.string))
        }
        if let word { params["confirm"] = .string(word) }
        if let index = selectedIndex { entries[index].approval = approval }
        return send(entry, params, approval == .session ? "allow for the session" : "allow")
    }

    mutating func send(_ entry: Entry, _ params: JSONObject, _ what: String) -> [WatchEffect] {
        guard let index = entries.firstIndex(where: { $0.card.requestID == entry.card.requestID }) else { return [] }
        entries[index].phase = .sending(what)
        prompt = .none
        say("sending \(what)…")
        var whole: JSONObject = ["request_id": .string(entry.card.requestID)]
        for (key, value) in params { whole[key] = value }
        return [.respond(requestID: entry.card.requestID, params: whole)]
    }

    private mutating func offerSession(_ entry: Entry) -> [WatchEffect] {
        guard !entry.card.patterns.isEmpty else {
            say("there is no safe pattern for this call: it can only be allowed once")
            return []
        }
        return approve(entry, .session)
    }

    private mutating func edit(_ entry: Entry) -> [WatchEffect] {
        guard let command = entry.command, !entry.card.isCut else {
            say("only a command can be edited here")
            return []
        }
        let text = entry.changed ?? command
        if hasEditor { return [.edit(requestID: entry.card.requestID, text: text)] }
        ask(.command(LineEditor(text)), "Enter shows the change, Ctrl-J breaks the line, Esc: nothing done")
        return []
    }

    mutating func edited(_ id: String, _ text: String?) -> [WatchEffect] {
        guard let index = entries.firstIndex(where: { $0.card.requestID == id }), selection == id else {
            say("\(id) has gone meanwhile: nothing done", .bad)
            return []
        }
        guard let text, entries[index].isOpen else {
            say(entries[index].isOpen ? "not edited: nothing done" : "this one has ended meanwhile: nothing done", .bad)
            return []
        }
        return propose(text, at: index)
    }

    /// Shows an edited command as a diff, and asks whether to allow it.
    mutating func propose(_ text: String, at index: Int) -> [WatchEffect] {
        prompt = .none
        // Editors end a file with a line break, which is not part of the command.
        let command = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard !command.isEmpty else {
            say("an empty command is nothing to allow: nothing done", .bad)
            return []
        }
        guard command != entries[index].command else {
            entries[index].changed = nil
            entries[index].revision += 1
            say("not changed: nothing done")
            return []
        }
        entries[index].changed = command
        entries[index].revision += 1
        ask(.changed, "y allows the command as changed, e edits again, n: nothing done")
        scroll = 0
        return []
    }
}
