import Core

/// Draws the model: a title, the list, the selected card, the status line, the keys.
package struct Screen: Sendable {
    let charset: Charset
    let glyphs: Glyphs
    let visible: VisibleText
    /// The page of the selected card, cached so that it is not made again each second.
    private var cache: (key: CacheKey, document: Document)?
    /// The rows of the transcript, by their width.
    var transcripts: [Int: TranscriptRows] = [:]

    private struct CacheKey: Hashable {
        let requestID: String
        let revision: Int
        let width: Int
        let page: Entry.Page
        let form: AnswerForm?
        let leftOut: Set<Int>
        let project: String
    }

    package init(charset: Charset) {
        self.charset = charset
        glyphs = Glyphs(charset)
        visible = VisibleText(charset: charset)
    }

    package mutating func frame(of model: WatchModel, size: TerminalSize, at now: Moment) -> Frame {
        guard !size.isTooSmall else {
            let lines = ["too small", "q quits"].prefix(size.rows).map {
                Line([Span($0)]).fitted(to: size.columns, mark: "")
            }
            let rest = [Line](repeating: Line(), count: max(0, size.rows - lines.count))
            return Frame(
                lines: lines + rest, subject: nil, viewport: WatchModel.Viewport(), seen: nil,
                showsTranscript: false)
        }
        let document = document(of: model, size.cardColumns)
        let rows = size.cardRows
        let end = max(0, document.rows.count - rows)
        let top = model.prompt == .transcript && model.isAtEnd ? end : min(model.scroll, end)
        let card = document.rows.dropFirst(top).prefix(rows)
        let below = document.rows.count - top - card.count
        let seen = seen(model, document, size.cardColumns, top: top, end: top + card.count)
        let blank = [Line](repeating: Line(), count: rows - card.count)
        var lines = [title(model, now)]
        let transcript = pane(of: model, size)
        let list = list(model, size, now, rows: size.listRows - transcript.count)
        lines += panes(list + transcript, [heading(model, size, now)] + card + blank, size)
        lines += [rule(size.columns, above: top, below: below), notice(model, size.columns)]
        lines.append(bottom(model, size.columns, seen))
        let fitted = lines.map { $0.fitted(to: size.columns, mark: glyphs.cut) }
        return Frame(
            lines: [fitted[0].padded(to: size.columns, fitted[0].spans.last?.style ?? .bar)] + fitted.dropFirst(),
            subject: subject(model, size),
            viewport: WatchModel.Viewport(rows: rows, documentRows: document.rows.count),
            seen: seen, showsTranscript: !transcript.isEmpty)
    }

    /// The list and the card, beside each other where there is room, else the list above.
    private func panes(_ list: [Line], _ card: [Line], _ size: TerminalSize) -> [Line] {
        guard size.hasTwoPanes else { return list + card }
        let edge = Line([Span(String(glyphs.bar.prefix(1)), .dim)])
        return zip(list, card).map { left, right in
            left.fitted(to: size.listColumns, mark: glyphs.cut).padded(to: size.listColumns, .plain) + edge + right
        }
    }

    private func subject(_ model: WatchModel, _ size: TerminalSize) -> Arming.Subject? {
        model.selected.map { entry in
            Arming.Subject(
                requestID: entry.card.requestID, revision: entry.revision, prompt: model.prompt.name,
                columns: size.columns, rows: size.rows)
        }
    }

    private func seen(
        _ model: WatchModel, _ document: Document, _ width: Int, top: Int, end: Int
    ) -> (Entry.Page, Entry.Seen)? {
        guard let entry = model.selected, !model.prompt.hidesCard else { return nil }
        let seen = Entry.Seen(
            revision: entry.revision, width: width, top: top, rows: end, wanted: document.subjectEnd)
        return (model.page, seen)
    }

    private mutating func document(of model: WatchModel, _ width: Int) -> Document {
        guard model.prompt != .help else { return PromptDocument.help(width: width, charset: charset) }
        if model.prompt == .transcript { return transcript(of: model, width: width) }
        if case .view(let view) = model.prompt {
            return PromptDocument.view(view, model.views[view], width: width, charset: charset)
        }
        guard let entry = model.selected else { return nothing(model, width) }
        let project = model.project(of: entry.card)
        let key = CacheKey(
            requestID: entry.card.requestID, revision: entry.revision, width: width, page: model.page,
            form: entry.form, leftOut: entry.leftOut, project: project)
        if let cache, cache.key == key { return cache.document }
        let document =
            switch model.page {
            case .card: CardWriter(entry, project: project, width: width, charset: charset).document()
            case .change: PromptDocument.change(entry, width: width, charset: charset)
            case .patterns:
                PromptDocument.patterns(
                    entry, canLeaveOut: model.features.takesPatterns, width: width, charset: charset)
            }
        cache = (key, document)
        return document
    }

    private func nothing(_ model: WatchModel, _ width: Int) -> Document {
        var page = Document(width: width, charset: charset)
        page.blank()
        if model.connection == .online {
            page.say("  ", "Nothing is waiting. While this runs, requests are held for you.")
            for note in model.modeNotes.values.sorted() {
                page.blank()
                page.say("  ", note, .warning)
            }
        }
        return page
    }

    private func title(_ model: WatchModel, _ now: Moment) -> Line {
        let waiting = "\(model.openCount) waiting"
        switch model.connection {
        case .connecting: return Line([Span(" cdev watch  connecting", .bar)])
        case .offline(let reason, let retryAt):
            let seconds = max(0, (retryAt - now.uptime + 999) / 1000)
            let style = Style(.red, bold: true, reversed: true)
            return Line(
                [Span(" OFFLINE, keys are off; next try in \(seconds) s: ", style)]
                    + visible.line(reason, style).map { Span($0.text, style) })
        case .online:
            let note = model.features.mayDecide ? "" : "  READ ONLY: inside an agent"
            return Line([Span(" cdev watch  \(waiting)\(note)", Style(bold: true, reversed: true))])
        }
    }

    private func rule(_ width: Int, above: Int, below: Int) -> Line {
        var spans: [Span] = []
        if above > 0 { spans.append(Span("\(glyphs.up) \(above) above: b  ", .warning)) }
        if below > 0 { spans.append(Span("\(glyphs.down) \(below) more below: space  ", .warning)) }
        let line = Line(spans)
        return line + Line([Span(String(repeating: glyphs.rule, count: max(0, width - line.width)), .dim)])
    }

    private func notice(_ model: WatchModel, _ width: Int) -> Line {
        let style: Style =
            switch model.notice.kind {
            case .bad: .failure
            case .good: .success
            case .plain: .plain
            }
        return Line(visible.line(model.notice.text, style))
    }

    private func bottom(_ model: WatchModel, _ width: Int, _ seen: (Entry.Page, Entry.Seen)?) -> Line {
        guard let editor = model.prompt.editor else {
            var entry = model.selected
            if let (page, rows) = seen { entry?.note(rows, on: page) }
            return KeyHints.line(model, isSeen: entry?.isSeen(on: model.page) ?? true, width)
        }
        let labels = ["command": "run: ", "message": "tell Claude: ", "own": "answer: ", "word": "type it: "]
        let label = labels[model.prompt.name] ?? "> "
        return Line([Span(label, .bold)]) + editor.line(width - label.columns, visible)
    }
}

extension Screen {
    private func list(_ model: WatchModel, _ size: TerminalSize, _ now: Moment, rows: Int) -> [Line] {
        let index = model.selectedIndex ?? 0
        let first = max(0, min(index - rows / 2, model.entries.count - rows))
        var lines: [Line] = []
        for entry in model.entries.dropFirst(first).prefix(rows) {
            lines.append(row(entry, isSelected: entry.card.requestID == model.selection, model, size.listColumns, now))
        }
        return lines + [Line](repeating: Line(), count: rows - lines.count)
    }

    private func row(
        _ entry: Entry, isSelected: Bool, _ model: WatchModel, _ width: Int, _ now: Moment
    ) -> Line {
        let base = style(of: entry, isSelected)
        let mark = isSelected ? glyphs.pointer : entry.isNew ? glyphs.fresh : " "
        let toolWidth = width < 60 ? 8 : 14
        var line = Line([Span(" \(mark) ", base), Span(left(entry, now).leftPadded(5) + " ", base)])
        line = line + cell(VisibleText(charset: .ascii).plain(entry.card.tool.name), toolWidth, base)
        if width >= 60 { line = line + cell(model.project(of: entry.card), 14, base) }
        line = line + Line(visible.line(String(entry.card.summary.prefix(400)), base))
        let fitted = line.fitted(to: width, mark: glyphs.cut)
        return isSelected ? fitted.padded(to: width, base) : fitted
    }

    /// An ended row has the colour of its outcome.
    private func style(of entry: Entry, _ isSelected: Bool) -> Style {
        var style = Style.plain
        if case .ended(_, let outcome) = entry.phase { style = outcome.style }
        return isSelected ? Style(style.color, bold: true, reversed: true) : style
    }

    private func cell(_ text: String, _ width: Int, _ style: Style) -> Line {
        Line(visible.line(text, style)).fitted(to: width - 1, mark: glyphs.cut).padded(to: width, style)
    }

    private func left(_ entry: Entry, _ now: Moment) -> String {
        switch entry.phase {
        case .ended(_, .allowed): "yes"
        case .ended(_, .denied): "no"
        case .ended: "ended"
        case .sending: "sent"
        case .open: TimeLeft.text(entry.card.deadline, at: now.wall)
        }
    }

    private func heading(_ model: WatchModel, _ size: TerminalSize, _ now: Moment) -> Line {
        if model.prompt == .transcript { return heading(ofTranscript: model, width: size.cardColumns) }
        let rule = String(repeating: glyphs.rule, count: 2)
        guard let entry = model.selected, !model.prompt.hidesCard else {
            let name = model.prompt == .help ? " keys " : model.prompt.hidesCard ? " \(model.prompt.name) " : ""
            let rest = String(repeating: glyphs.rule, count: max(0, size.cardColumns - 2 - name.columns))
            return Line([Span(rule, .dim), Span(name, .bold), Span(rest, .dim)])
        }
        let tool = VisibleText(charset: .ascii).plain(entry.card.tool.name)
        let place = model.entries.count > 1 ? "\((model.selectedIndex ?? 0) + 1) of \(model.entries.count) " : ""
        var line = Line([Span(rule + " ", .dim), Span(tool + " ", .bold)])
        switch entry.phase {
        case .ended(let how, let outcome):
            line = line + Line([Span("ENDED: ", outcome.style)] + visible.line(how, outcome.style) + [Span(" ")])
        case .sending(let what): line = line + Line([Span("sending \(what) ", .warning)])
        case .open: line = line + clock(entry.card, size.cardColumns, now)
        }
        line = line + Line([Span(place, .dim)])
        let rest = String(repeating: glyphs.rule, count: max(0, size.cardColumns - line.width))
        return line + Line([Span(rest, .dim)])
    }

    private func clock(_ card: Card, _ width: Int, _ now: Moment) -> Line {
        guard let deadline = card.deadline else { return Line() }
        let left = deadline.seconds(since: now.wall)
        let style = left < 15 ? Style.failure : Style.bold
        var spans = [Span("\(TimeLeft.text(deadline, at: now.wall)) left ", style)]
        if let created = card.createdAt, deadline.seconds(since: created) > 0 {
            let cells = width < 60 ? 6 : 20
            let share = min(1, max(0, left / deadline.seconds(since: created)))
            let full = Int((share * Double(cells)).rounded(.up))
            spans.append(Span(String(repeating: glyphs.full, count: full), style))
            spans.append(Span(String(repeating: glyphs.empty, count: cells - full) + " ", .dim))
        }
        return Line(spans)
    }
}

/// The time left to answer, in words.
enum TimeLeft {
    static func text(_ deadline: Timestamp?, at now: Timestamp) -> String {
        guard let deadline else { return "-" }
        let seconds = max(0, Int(deadline.seconds(since: now).rounded(.up)))
        if seconds >= 3600 { return "\(seconds / 3600)h" + String(seconds / 60 % 60).leftPadded(2, "0") }
        return "\(seconds / 60):" + String(seconds % 60).leftPadded(2, "0")
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int, _ sign: String = " ") -> String {
        String(repeating: sign, count: max(0, width - count)) + self
    }
}
