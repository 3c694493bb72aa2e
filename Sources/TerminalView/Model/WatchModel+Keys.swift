/// Handles keys.
extension WatchModel {
    mutating func press(_ key: Key, isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        switch key {
        case .control("c"): return [.quit]
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        default: break
        }
        if prompt.editor != nil { return type(key, isAlone: isAlone, now) }
        switch prompt {
        case .help:
            prompt = .none
            arming.disturb(at: now.uptime)
            return []
        case .changed, .session: return confirm(key, isAlone: isAlone, now)
        case .transcript, .view: return view(key, isAlone: isAlone, now)
        default: return command(key, isAlone: isAlone, now)
        }
    }

    /// Handles a key while no prompt is open.
    private mutating func command(_ key: Key, isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        if let effects = look(key) { return effects }
        guard let decision = KeyDecision(key) else {
            arming.disturb(at: now.uptime)
            if case .paste = key { say("pasted text is no answer: nothing done") }
            return []
        }
        return decide(decision, isAlone: isAlone, now)
    }

    /// Handles a key while a view hides the card: no key decides.
    private mutating func view(_ key: Key, isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        arming.disturb(at: now.uptime)
        if let effects = revoke(key, isAlone: isAlone) { return effects }
        revoking = nil
        switch key {
        case .character("j"), .down: scroll = min(scroll + 1, maxScroll)
        case .character("k"), .up: scroll = max(0, scroll - 1)
        case .character(" "), .pageDown, .character("b"), .pageUp, .character("J"), .character("K"), .home, .end:
            _ = look(key)
        case .character("h") where prompt != .view(.history): return open(.history)
        case .character("r") where prompt != .view(.rules): return open(.rules)
        case .character("t") where prompt != .transcript: return openTranscript()
        default:
            prompt = .none
            scroll = 0
        }
        isAtEnd = scroll >= maxScroll
        return []
    }

    private mutating func open(_ view: WatchView) -> [WatchEffect] {
        prompt = .view(view)
        revoking = nil
        scroll = 0
        return connection == .online ? [.askView(view)] : []
    }

    /// Handles keys that only scroll, select or quit; `nil` for any other.
    private mutating func look(_ key: Key) -> [WatchEffect]? {
        switch key {
        case .character("?"): prompt = .help
        case .character("h"): return open(.history)
        case .character("r"): return open(.rules)
        case .character("t"): return openTranscript()
        case .character("q"): return [.quit]
        case .character("j"), .down: return step(1)
        case .character("k"), .up: return step(-1)
        case .character(" "), .pageDown: scrollDown(max(1, viewport.rows - 1))
        case .character("b"), .pageUp: scroll = max(0, scroll - max(1, viewport.rows - 1))
        case .character("J"): scrollDown(1)
        case .character("K"): scroll = max(0, scroll - 1)
        case .home: scroll = 0
        case .end: scroll = maxScroll
        default: return nil
        }
        return []
    }

    private mutating func step(_ step: Int) -> [WatchEffect] {
        guard let index = selectedIndex else { return select(entries.first?.card.requestID) }
        let entry = entries[index]
        let target = min(max(index + step, 0), entries.count - 1)
        let id = entries[target].card.requestID
        if entry.hasEnded {
            guard target != index else { return leave(entry.card.requestID) }
            entries.remove(at: index)
        }
        return id == selection ? [] : select(id)
    }

    /// Returns the selected card if a key may act on it now; else sets a status line with the reason and returns `nil`.
    ///
    /// - Parameter decides: True for keys after which the next key counts only after a pause, because a held key is one
    ///   press.
    mutating func mayAct(isAlone: Bool, decides: Bool = true, _ now: Moment) -> Entry? {
        guard let entry = selected else {
            say("nothing is selected: nothing done")
            return nil
        }
        let isArmed = arming.allows(
            requestID: entry.card.requestID, revision: entry.revision, prompt: prompt.name, at: now.uptime)
        if decides || !isArmed || !isAlone { arming.disturb(at: now.uptime) }
        guard connection == .online else {
            say("offline: nothing done", .bad)
            return nil
        }
        switch entry.phase {
        case .ended(let how, _):
            say("this one has ended, \(how): nothing done", .bad)
            return nil
        case .sending(let what):
            say("\(what) is on its way already")
            return nil
        case .open: break
        }
        guard features.mayDecide else {
            say("this terminal runs inside an agent: the daemon does not take its answers", .bad)
            return nil
        }
        guard isAlone else {
            say("several keys at once: nothing done, press one")
            return nil
        }
        guard isArmed else {
            say("this came only now: nothing done, look and press again")
            return nil
        }
        return entry
    }
}

/// The meaning of a key for the selected card.
enum KeyDecision: Hashable {
    case allow, claude, deny, denyWithMessage, edit
    case option(Int)
    case own
    case question(Int)
    case send, session

    init?(_ key: Key) {
        switch key {
        case .backTab: self = .question(-1)
        case .character("a"): self = .allow
        case .character("d"): self = .deny
        case .character("e"): self = .edit
        case .character("m"): self = .denyWithMessage
        case .character("o"): self = .own
        case .character("p"): self = .claude
        case .character("s"): self = .session
        case .character(let digit) where ("1"..."9").contains(digit): self = .option(digit.wholeNumberValue ?? 0)
        case .enter: self = .send
        case .tab: self = .question(1)
        default: return nil
        }
    }
}
