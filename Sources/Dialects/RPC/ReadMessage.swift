import Platform
import Wire

/// A parsed message of a client. The values of a large message are freed off the loop, because freeing three million
/// values takes 50 ms. So waiting work keeps this object, never a copy of the payload.
final class ReadMessage: Sendable {
    /// Emptied in `deinit`.
    private let contents: Locked<JSONRPC.Payload?>
    /// The thread that frees the payload; nil if the last reference frees it in place.
    private let lane: WorkLane?
    let bytes: Int

    init(_ payload: JSONRPC.Payload, of bytes: Int, freedOn lane: WorkLane? = nil) {
        contents = Locked(payload)
        self.bytes = bytes
        self.lane = lane
    }

    deinit {
        _ = lane?.start(weight: 0) { [contents] in
            contents.withLock { $0 = nil }
            FreedMemory.giveBack()
        }
    }

    var payload: JSONRPC.Payload {
        guard let payload = contents.withLock({ $0 }) else {
            preconditionFailure("a message was freed while somebody had it")
        }
        return payload
    }
}
