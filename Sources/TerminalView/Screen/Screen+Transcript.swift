/// Draws the transcript: as a page in the card's place, and below the list where there is room beside the card.
extension Screen {
    /// The whole transcript, as far as it is here.
    mutating func transcript(of model: WatchModel, width: Int) -> Document {
        var rows = transcripts[width] ?? TranscriptRows(width: width, charset: charset)
        defer {
            // There are two widths at a time: that of the page, and that of the pane.
            if transcripts.count > 3 { transcripts = [:] }
            transcripts[width] = rows
        }
        return rows.document(of: model.transcript)
    }

    /// The end of the transcript under its heading; no rows where there is no room.
    mutating func pane(of model: WatchModel, _ size: TerminalSize) -> [Line] {
        guard model.features.transcripts, size.transcriptRows > 1 else { return [] }
        let document = transcript(of: model, width: size.listColumns)
        var rows = document.rows[...]
        while rows.last == Line() { rows.removeLast() }
        let shown = Array(rows.suffix(size.transcriptRows - 1))
        let blank = [Line](repeating: Line(), count: size.transcriptRows - 1 - shown.count)
        return [heading(ofTranscript: model, width: size.listColumns)] + shown + blank
    }

    func heading(ofTranscript model: WatchModel, width: Int) -> Line {
        let session = model.transcript.session
        let name = session.isEmpty ? "" : visible.plain(String(session.prefix(8))) + " "
        let place = model.roots[session].map { $0.isEmpty ? "" : "in \(visible.plain(Card.name(of: $0))) " } ?? ""
        let start = Line([Span(String(repeating: glyphs.rule, count: 2), .dim), Span(" transcript ", .bold)])
        let line = start + Line([Span(name + place, .plain)])
        return line + Line([Span(String(repeating: glyphs.rule, count: max(0, width - line.width)), .dim)])
    }
}
