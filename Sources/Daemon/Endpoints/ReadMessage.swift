import CPlatform
import Platform
import Wire

/// A client's message as it was read. Where it was large, its values are freed off the loop as well: three million of
/// them take 50 ms. So whoever waits with one keeps this, and no copy of the payload.
final class ReadMessage: Sendable {
    /// The one that has the payload when nobody is left who could ask for it.
    private final class Contents: @unchecked Sendable {  // guard: changed once, by the only one who has it then
        var payload: JSONRPC.Payload?

        init(_ payload: JSONRPC.Payload) { self.payload = payload }
    }

    private let contents: Contents
    /// Nil where it is freed by whoever lets go of it last.
    private let lane: WorkLane?
    let bytes: Int

    init(_ payload: JSONRPC.Payload, of bytes: Int, freedOn lane: WorkLane? = nil) {
        contents = Contents(payload)
        self.bytes = bytes
        self.lane = lane
    }

    deinit {
        _ = lane?.start(weight: 0) { [contents] in
            contents.payload = nil
            cplatform_give_back_memory()
        }
    }

    var payload: JSONRPC.Payload {
        guard let payload = contents.payload else { preconditionFailure("a message was freed while somebody had it") }
        return payload
    }
}
