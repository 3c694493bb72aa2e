import Core

/// The clients that read along while a session's agent writes, and what it wrote of the message that is not whole yet.
struct RunWatches {
    private struct Watch {
        let session: String
        /// True for a client that also gets each line as it was written.
        let hasLog: Bool
    }

    private var watches: [String: Watch] = [:]
    private var partial: [String: PartialMessage] = [:]
    private var calls: [String: ChildCall] = [:]
    private var recent: [String: RecentMessages] = [:]

    mutating func watch(_ session: String, hasLog: Bool, client: String) {
        watches[client] = Watch(session: session, hasLog: hasLog)
    }

    /// Returns the session that the client watched.
    mutating func unwatch(client: String) -> String? { watches.removeValue(forKey: client)?.session }

    func readers(of session: String) -> Set<String> { clients { $0.session == session } }
    func logReaders(of session: String) -> Set<String> { clients { $0.session == session && $0.hasLog } }

    private func clients(_ isMeant: (Watch) -> Bool) -> Set<String> {
        Set(watches.filter { isMeant($0.value) }.keys)
    }

    /// The part that was written of a message that is not whole yet.
    func partial(of session: String) -> [ChildDelta] { partial[session]?.pieces ?? [] }

    mutating func add(_ delta: ChildDelta, to session: String) {
        partial[session, default: PartialMessage()].add(delta)
    }

    /// The call that is being written.
    func call(of session: String) -> ChildCall? { calls[session] }

    mutating func begin(_ call: ChildCall, in session: String) { calls[session] = call }

    /// The message is whole, or will never be.
    mutating func endMessage(of session: String) {
        partial[session] = nil
        calls[session] = nil
    }

    /// The last whole messages, which the transcript may not have yet.
    func recent(of session: String) -> [TranscriptMessage] { recent[session]?.messages ?? [] }

    mutating func add(_ message: TranscriptMessage, to session: String) {
        recent[session, default: RecentMessages()].add(message)
    }

    /// The session has no process more: all that it said stands in its transcript.
    mutating func forgetMessages(of session: String) { recent[session] = nil }
}

/// A few messages, of no more than some size.
private struct RecentMessages {
    private(set) var messages: [TranscriptMessage] = []
    private var bytes = 0

    private static let most = 50
    private static let mostBytes = 1 << 20

    mutating func add(_ message: TranscriptMessage) {
        messages.append(message)
        bytes += message.message.footprint
        while messages.count > 1, messages.count > Self.most || bytes > Self.mostBytes {
            bytes -= messages.removeFirst().message.footprint
        }
    }
}

/// What was written of one message. Of a long one the beginning is dropped.
private struct PartialMessage {
    private var kinds: [ChildDelta.Kind] = []
    private var texts: [String] = []
    private var bytes = 0

    private static let mostBytes = 256 << 10
    private static let mostPieces = 1000

    var pieces: [ChildDelta] { zip(kinds, texts).map { ChildDelta(kind: $0, text: $1) } }

    /// Takes a time in proportion to the piece: an agent may write thousands of them at once.
    mutating func add(_ delta: ChildDelta) {
        bytes += delta.text.utf8.count
        if kinds.last == delta.kind {
            texts[texts.count - 1] += delta.text
        } else {
            kinds.append(delta.kind)
            texts.append(delta.text)
        }
        if bytes > Self.mostBytes || kinds.count > Self.mostPieces { keepLast(delta) }
    }

    private mutating func keepLast(_ delta: ChildDelta) {
        (kinds, texts, bytes) = ([delta.kind], [delta.text], delta.text.utf8.count)
    }
}
