import Core
import OrderedJSON
import Text

/// Writes the page of a card: first the input that would run, then notes about it.
struct CardWriter {
    let card: Card
    let preview: CardPreview?
    let answers: AnswerForm?
    /// The name of the session's directory.
    let project: String
    private var page: Document

    init(_ entry: Entry, project: String, width: Int, charset: Charset) {
        card = entry.card
        preview = entry.preview
        answers = entry.form
        self.project = project
        page = Document(width: width, charset: charset)
    }

    consuming func document() -> Document {
        let title = card.title.isEmpty ? "" : ", \"\(card.title)\""
        page.say("for ", "\(project), session \(card.sessionID.prefix(8))\(agent)\(title)")
        page.say("in  ", card.cwd)
        warnings()
        let rest = subject()
        if !rest.isEmpty { TreeWriter.write(.object(rest), to: &page) }
        page.endSubject()
        notes()
        return page
    }

    private var agent: String {
        guard !card.agentID.isEmpty || !card.agentType.isEmpty else { return "" }
        return ", subagent \(card.agentType.isEmpty ? card.agentID : card.agentType)"
    }

    private mutating func warnings() {
        if card.isCut { page.say("!   ", "cut: not all of it is shown here, so it cannot be allowed here", .failure) }
        if card.isOutside != false {
            let sentence = "it changes a file outside the project"
            page.say("!   ", card.isOutside == nil ? "cdev could not tell if \(sentence)" : sentence, .warning)
        }
        if card.isUnverified {
            page.say("!   ", "unverified: any process of this machine could have sent it", .warning)
        }
        if !card.canAsk {
            page.say("!   ", "asked by \(card.agent), which cannot ask by itself: unanswered it is denied", .warning)
        }
        if card.isTerminalPrompt { page.say("!   ", "Claude's own dialog is open in its terminal too", .warning) }
        let text = InputText(card.input)
        if text.hidden > 0 {
            let noun = text.hidden == 1 ? "1 hidden character" : "\(text.hidden) hidden characters"
            page.say("!   ", "\(noun), shown by number, as \\u{202E}", .warning)
        }
        if text.isRightToLeft {
            page.say("!   ", "right-to-left letters: your terminal may show them in another order", .warning)
        }
    }

    /// Writes the input, and returns the members that it did not show.
    private mutating func subject() -> JSONObject {
        var rest = card.input.objectValue ?? ["value": card.input]
        switch card.tool.kind {
        case .fetch: fetch(&rest)
        case .fileChanges: EditWriter(card.tool).write(&rest, preview, to: &page)
        case .plan: plan(&rest)
        case .question: return questions(rest)
        case .shellCommand:
            if let command = rest.take(.command, of: card.tool) { page.code(command, .bold) }
            _ = rest.take(.note, of: card.tool)
        case .agent, .mcpTool, .other, .read, .search: if rest.isEmpty { page.say("", "(no input)", .dim) }
        }
        return rest
    }

    private mutating func plan(_ rest: inout JSONObject) {
        guard let plan = rest.take(.plan, of: card.tool) else { return }
        guard case .plan(let document) = preview else { return page.say(PlanWriter.margin, plan) }
        PlanWriter.write(document, to: &page)
    }

    /// Writes the host on a line of its own: a rule covers the host, which is easily overlooked in a long URL.
    private mutating func fetch(_ rest: inout JSONObject) {
        guard let url = rest.take(.url, of: card.tool) else { return }
        if let authority = WebAddress(url)?.authority {
            page.say("host ", authority.isBracketed ? "[\(authority.host)]" : authority.host, .bold)
        }
        page.code(url)
    }

    private mutating func questions(_ rest: JSONObject) -> JSONObject {
        guard let answers else { return rest }
        answers.write(to: &page)
        var rest = rest
        rest.remove(.questions, of: card.tool)
        return rest
    }

    private mutating func notes() {
        page.blank()
        let said = card.tool.text(.note, in: card.input)
        if card.tool.kind == .shellCommand, !said.isEmpty { page.say("Claude says: ", said) }
        if !card.prompted.isEmpty { page.say("you asked: ", card.prompted) }
        if !card.lastWords.isEmpty { page.say("before it Claude said: ", card.lastWords) }
        if !card.patterns.isEmpty {
            let hasWords = !card.scopeWords.isEmpty
            if hasWords { page.say("for session: ", card.scopeWords) }
            page.say(
                hasWords ? "   as " : "for session: ", card.patterns.joined(separator: "\n"), hasWords ? .dim : .plain)
        }
        if !card.rulesNote.isEmpty { page.say("rules: ", card.rulesNote) }
        if let prompt = card.confirmPrompt { page.say("to allow it, type: ", prompt, .warning) }
        if !card.mode.isEmpty, card.mode != "default" { page.say("mode: ", card.mode) }
        page.say("request: ", card.requestID, .dim)
    }
}

extension JSONObject {
    /// Removes and returns the member with this role, if it is a string.
    mutating func take(_ role: ToolRole, of tool: Tool) -> String? {
        guard let name = tool.members[role], let text = self[name]?.stringValue else { return nil }
        self[name] = nil
        return text
    }

    mutating func remove(_ role: ToolRole, of tool: Tool) {
        if let name = tool.members[role] { self[name] = nil }
    }
}

/// Counts hidden characters and finds right-to-left letters in the strings of an input, names of members included.
struct InputText {
    private(set) var hidden = 0
    private(set) var isRightToLeft = false

    init(_ input: JSON) {
        look(at: input)
    }

    private mutating func look(at value: JSON) {
        switch value {
        case .array(let elements): for element in elements { look(at: element) }
        case .object(let members):
            for (key, element) in members {
                look(at: .string(key))
                look(at: element)
            }
        case .string(let text):
            guard text.utf8.contains(where: { $0 > 0x7E || ($0 < 0x20 && $0 != 0x0A && $0 != 0x09) }) else { return }
            for scalar in text.unicodeScalars {
                if scalar.isHidden { hidden += 1 }
                if VisibleText.isRightToLeft(scalar) { isRightToLeft = true }
            }
        default: break
        }
    }
}
