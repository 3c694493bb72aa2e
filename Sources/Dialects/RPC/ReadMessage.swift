import Platform
import Wire

/// A client's message as it was read. Where it was large, its values are freed off the loop as well: three million of
/// them take 50 ms. So whoever waits with one keeps this, and no copy of the payload.
final class ReadMessage: Sendable {
    /// Emptied when nobody is left who could ask for it.
    private let contents: Locked<JSONRPC.Payload?>
    /// Nil where it is freed by whoever lets go of it last.
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
