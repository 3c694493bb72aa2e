import OrderedJSON
import TerminalView

/// The transcript that `cdev watch` follows: its messages as people read them, each once.
struct WatchedTranscript {
    let session: String
    private var digest = TranscriptDigest()
    /// Messages that were shown. Their numbers tell nothing once the file was replaced.
    private var seen: Set<String> = []

    /// Messages that are shown of what was written before.
    private static let page = 200

    init(session: String) {
        self.session = session
    }

    /// Asks for the newest messages; a page ends early where a frame is full.
    var params: JSON {
        ["session_id": .string(session), "order": "desc", "limit": .number(JSONNumber(Self.page))]
    }

    mutating func read(_ page: JSON) -> [WatchEvent] {
        digest.note(subagents: page.list("subagents"))
        var items: [TranscriptItem] = []
        let messages = page.list("messages")
        if messages.count < page["total"]?.intValue ?? 0 {
            items.append(.note("what came before: cdev transcript \(session.prefix(8))"))
        }
        for message in messages.reversed() { items += add(message) }
        return [.transcript(session: session, .page(items, unfinished: digest.unfinished))]
    }

    /// - Parameter params: The parameters of `event/claude_message`.
    mutating func added(_ params: JSON) -> [WatchEvent] {
        guard params.text("session_id") == session else { return [] }
        return [.transcript(session: session, .more(add(params), unfinished: digest.unfinished))]
    }

    /// Thoughts are left out, as `cdev transcript` leaves them out.
    private mutating func add(_ message: JSON) -> [TranscriptItem] {
        guard seen.insert(message.text("uuid")).inserted else { return [] }
        return digest.add(message).filter { if case .thought = $0 { false } else { true } }
    }
}
