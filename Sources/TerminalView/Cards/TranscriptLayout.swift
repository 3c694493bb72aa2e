/// Writes a transcript as rows: a prompt in bold behind a mark, the agent's words as they are, a call with its outcome.
enum TranscriptLayout {
    static func write(_ item: TranscriptItem, to page: inout Document, _ glyphs: Glyphs) {
        switch item {
        case .call(let call, let outcome):
            page.say(glyphs.bullet + " ", call)
            write(outcome, to: &page)
        case .command(let text): page.say("> ", text, .bold)
        case .inner(let item): return page.inside { write(item, to: &$0, glyphs) }
        case .note(let text): page.say("", text, .dim)
        case .prompt(let text, let time):
            page.say("", time, .dim)
            page.say("> ", text, .bold)
        case .said(let text): page.say("", text)
        case .thought(let text): page.say("~ ", text, .dim)
        }
        page.blank()
    }

    private static func write(_ outcome: TranscriptItem.Outcome?, to page: inout Document) {
        guard let outcome else { return page.say("  ", "no result yet", .dim) }
        page.say("  ", outcome.text, outcome.isError ? Style(.red) : .dim)
        if !outcome.subagent.isEmpty { page.say("  ", outcome.subagent, .dim) }
    }
}

/// The rows of a transcript at one width. What is added is laid out, and what was laid out is not laid out again.
struct TranscriptRows: Sendable {
    private let charset: Charset
    private let width: Int
    private var page: Document
    private var generation = -1
    private var count = 0

    init(width: Int, charset: Charset) {
        self.width = width
        self.charset = charset
        page = Document(width: width, charset: charset)
    }

    mutating func document(of transcript: FollowedTranscript) -> Document {
        if generation != transcript.generation {
            (page, count, generation) = (Document(width: width, charset: charset), 0, transcript.generation)
        }
        let glyphs = Glyphs(charset)
        for item in transcript.items.dropFirst(count) { TranscriptLayout.write(item, to: &page, glyphs) }
        count = transcript.items.count
        var whole = page
        for item in transcript.unfinished { TranscriptLayout.write(item, to: &whole, glyphs) }
        if let sentence = Self.sentence(transcript, isEmpty: whole.rows.isEmpty) { whole.say("", sentence, .dim) }
        return whole
    }

    private static func sentence(_ transcript: FollowedTranscript, isEmpty: Bool) -> String? {
        guard isEmpty else { return nil }
        if transcript.session.isEmpty { return "No session runs that has a transcript." }
        return switch transcript.state {
        case .asked: "asking the daemon…"
        case .missing: "This session has no transcript yet."
        case .shown: "Nothing has been written yet."
        }
    }
}
