import Core
import OrderedJSON
import Wire

/// How far an editor was told what happens in a session, before its connection was lost. `cdev acp` says so with
/// `session/resume`, as `_meta`: `{"cdev":{"message":UUID,"text":BYTES,"thinking":BYTES,"calls":[ID]}}`.
struct ACPSeen: Sendable, Hashable {
    /// The id of the last message that was sent whole; `nil` if none was.
    let message: String?
    /// Bytes of the next one that were sent in pieces.
    let streamed: [ChildDelta.Kind: Int]
    /// Calls that were shown and whose input was not.
    let calls: [String]

    /// An agent writes one at a time.
    private static let mostCalls = 20

    static let field = Field<ACPSeen?>("_meta", .anyObject, "members of the protocol's extensions") {
        arguments throws(JSONRPCError) in
        guard let seen = arguments.value("_meta")?["cdev"], seen.objectValue != nil else { return nil }
        let kinds: [(ChildDelta.Kind, String)] = [(.text, "text"), (.thinking, "thinking")]
        let streamed = kinds.map { ($0.0, max(0, seen[$0.1]?.intValue ?? 0)) }
        return ACPSeen(
            message: seen["message"]?.idValue, streamed: Dictionary(uniqueKeysWithValues: streamed),
            calls: (seen["calls"]?.arrayValue ?? []).prefix(mostCalls).compactMap(\.idValue))
    }
}

extension ACPSession {
    /// The editor has this message.
    func skip(_ message: TranscriptMessage) {
        state.withLock { state in
            state.shown.skip(message)
            _ = state.calls.take(message)
        }
        _ = note(message.todos)
    }

    func goOn(behind seen: ACPSeen) {
        state.withLock { state in
            state.shown.goOn(behind: seen.streamed)
            for call in seen.calls { _ = state.calls.begin(call) }
        }
    }
}
