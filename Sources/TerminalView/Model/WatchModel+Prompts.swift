/// Handles keys while a prompt is open.
extension WatchModel {
    /// Handles a key at a prompt that `y` confirms.
    mutating func confirm(_ key: Key, isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        switch key {
        case .character("y"):
            if let selected, selected.hasEnded {
                _ = mayAct(isAlone: isAlone, now)
                prompt = .none
                return []
            }
            guard let entry = mayAct(isAlone: isAlone, now) else { return [] }
            return allow(entry, prompt == .session ? .session : .changed)
        case .character("n"), .character("q"), .escape: return cancel(now)
        case .character("e") where prompt == .changed:
            guard let entry = selected, let changed = entry.changed else { return cancel(now) }
            if hasEditor { return [.edit(requestID: entry.card.requestID, text: changed)] }
            ask(.command(LineEditor(changed)), "Enter shows the change, Ctrl-J breaks the line, Esc: nothing done")
        case .character(let digit) where prompt == .session && ("1"..."9").contains(digit):
            leaveOut(digit.wholeNumberValue ?? 0, now)
        case .character(" "), .pageDown: scrollDown(max(1, viewport.rows - 1))
        case .character("b"), .pageUp: scroll = max(0, scroll - max(1, viewport.rows - 1))
        default:
            arming.disturb(at: now.uptime)
            say(prompt == .session ? "y allows for the session, n does not" : "y allows the change, n does not")
        }
        return []
    }

    private mutating func leaveOut(_ number: Int, _ now: Moment) {
        arming.disturb(at: now.uptime)
        guard let index = selectedIndex, entries[index].card.patterns.indices.contains(number - 1) else { return }
        guard features.takesPatterns else {
            say("this daemon grants all of them or none")
            return
        }
        if entries[index].leftOut.remove(number - 1) == nil {
            guard entries[index].patterns.count > 1 else {
                say("the last one stays: n, and then a, allows once")
                return
            }
            entries[index].leftOut.insert(number - 1)
        }
    }

    private mutating func cancel(_ now: Moment) -> [WatchEffect] {
        arming.disturb(at: now.uptime)
        if let index = selectedIndex, entries[index].changed != nil {
            entries[index].changed = nil
            entries[index].revision += 1
        }
        scroll = prompt == .session ? 0 : scroll
        prompt = .none
        say("nothing done")
        return []
    }

    /// Handles a key while a text is typed: letters are text. The prompt stays open when its card ends.
    mutating func type(_ key: Key, isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        switch key {
        case .escape: return cancel(now)
        case .enter: return finish(isAlone: isAlone, now)
        default:
            guard var editor = prompt.editor else { return [] }
            _ = editor.handle(key)
            prompt.editor = editor
            return []
        }
    }

    private mutating func finish(isAlone: Bool, _ now: Moment) -> [WatchEffect] {
        guard let editor = prompt.editor else { return [] }
        if let selected, selected.hasEnded {
            _ = mayAct(isAlone: isAlone, now)
            prompt = .none
            return []
        }
        guard let entry = mayAct(isAlone: isAlone, now), let index = selectedIndex else { return [] }
        switch prompt {
        case .command: return propose(editor.text, at: index)
        case .message:
            return editor.isEmpty
                ? send(entry, ["decision": "deny"], "deny")
                : send(entry, ["decision": "deny", "message": .string(editor.text)], "deny")
        case .own:
            entries[index].form?.answer(inOwnWords: editor.text)
            prompt = .none
            say("Enter sends the answers")
        case .word(_, let approval): return allow(entry, approval, word: editor.text)
        default: break
        }
        return []
    }
}
