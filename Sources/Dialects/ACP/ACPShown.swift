package import Core

/// What an editor has of the agent's messages. The transcript and the agent both tell of each message, in either order, and
/// the agent sends a message in pieces before it is whole: the editor gets each part once.
package struct ACPShown: Sendable {
    /// The ids of the last messages that it has.
    private var known: [String] = []
    /// Messages of the transcript that the agent has not told of: its next pieces may be theirs.
    private var unheard: [TranscriptMessage] = []
    /// Bytes of the message that is being written that were sent in pieces.
    private var streamed: [ChildDelta.Kind: Int] = [:]
    /// True until the message is whole whose beginning an earlier connection was sent.
    private var skipsPieces = false
    /// Pieces that are those of a message in `unheard`, as far as they go.
    private var held: [ChildDelta] = []
    private var candidates: [PieceCandidate] = []

    private static let mostKnown = 200
    private static let mostUnheard = 20

    package init() {}

    /// Returns the pieces to send: none while they may be those of a message that the editor has.
    package mutating func add(_ piece: ChildDelta) -> [ChildDelta] {
        if skipsPieces { return [] }
        guard streamed.isEmpty else { return send([piece]) }
        if held.isEmpty { candidates = unheard.map(PieceCandidate.init) }
        held.append(piece)
        candidates = candidates.compactMap { $0.behind(piece) }
        guard candidates.isEmpty else { return [] }
        defer { held = [] }
        return send(held)
    }

    private mutating func send(_ pieces: [ChildDelta]) -> [ChildDelta] {
        for piece in pieces { streamed[piece.kind, default: 0] += piece.text.utf8.count }
        return pieces
    }

    /// Takes in a message that the agent told. Returns the bytes of it that were sent in pieces; `nil` if the editor has
    /// the message.
    package mutating func hear(_ message: TranscriptMessage) -> [ChildDelta.Kind: Int]? {
        unheard.removeAll { $0.uuid == message.uuid }
        return take(message)
    }

    /// Takes in a message of the transcript, as `hear`.
    package mutating func read(_ message: TranscriptMessage) -> [ChildDelta.Kind: Int]? {
        expect(message)
        return take(message)
    }

    /// Takes in a message of the transcript that an earlier connection was sent.
    package mutating func skip(_ message: TranscriptMessage) {
        expect(message)
        note(message)
    }

    private mutating func expect(_ message: TranscriptMessage) {
        guard message.isWrittenInPieces else { return }
        if unheard.count == Self.mostUnheard { unheard.removeFirst() }
        unheard.append(message)
    }

    private mutating func note(_ message: TranscriptMessage) {
        if known.count == Self.mostKnown { known.removeFirst() }
        known.append(message.uuid)
    }

    private mutating func take(_ message: TranscriptMessage) -> [ChildDelta.Kind: Int]? {
        guard !known.contains(message.uuid) else {
            // What an earlier connection was sent is of a later message.
            if message.isWrittenInPieces, !skipsPieces { endMessage() }
            return nil
        }
        note(message)
        guard message.isWrittenInPieces else { return [:] }
        defer { endMessage() }
        return streamed
    }

    /// The pieces that come now are not of the message that was being written.
    package mutating func endMessage() {
        (streamed, skipsPieces, held) = ([:], false, [])
    }

    /// An earlier connection was sent so much of the next message. The rest is sent once it is whole.
    package mutating func goOn(behind streamed: [ChildDelta.Kind: Int]) {
        self.streamed = streamed
        skipsPieces = streamed.values.contains { $0 > 0 }
    }
}

/// What of a message may come in pieces still.
private struct PieceCandidate {
    private var rest: [ChildDelta.Kind: Substring.UTF8View]

    init(_ message: TranscriptMessage) {
        rest = [.text: message.text("text")[...].utf8, .thinking: message.text("thinking")[...].utf8]
    }

    /// `nil` if the piece is not of this message.
    func behind(_ piece: ChildDelta) -> PieceCandidate? {
        guard let rest = rest[piece.kind], rest.starts(with: piece.text.utf8) else { return nil }
        var next = self
        next.rest[piece.kind] = rest.dropFirst(piece.text.utf8.count)
        return next
    }
}

extension TranscriptMessage {
    fileprivate var isWrittenInPieces: Bool { kind == .assistant && !isOfSubagent }

    fileprivate func text(_ type: String) -> String {
        (message["content"]?.arrayValue ?? []).compactMap { $0[type]?.stringValue }.joined()
    }
}
