package import Loop
import Platform

/// One request that is being answered. Through it a handler sends interim answers and content in pieces, and learns
/// whether the peer has left and whether the response was delivered. Any thread may use it.
package final class Exchange: Sendable {
    private struct State {
        var peerHasLeft = false
        var isHeld = false
        var delivered: Bool?
        var observers: [@Sendable (Bool) -> Void] = []
        var content: Content?
    }

    /// Writes the content of a response; its return ends the content.
    package typealias Content = @Sendable (ContentWriter) async -> Void

    private let loop: EventLoop
    private let state = Locked(State())
    private let known: @Sendable () -> Void
    private let write: @Sendable ([UInt8]) -> Void

    /// Connections make exchanges, and so do tests of a handler.
    /// - Parameters:
    ///   - known: Notes that the peer has proven who it is.
    ///   - write: Sends interim answers.
    package init(
        loop: EventLoop, known: @escaping @Sendable () -> Void = {}, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.loop = loop
        self.known = known
        self.write = write
    }

    /// True once the peer is known to have left; false in a task that was cancelled because the server stops.
    package var peerHasLeft: Bool { state.withLock { $0.peerHasLeft } }

    /// Sends an interim answer (`102`) at once. Marks the request as held: a server that stops leaves held requests
    /// unanswered, so that their callers ask the next daemon.
    package func sendInterim(_ bytes: [UInt8]) {
        state.withLock { $0.isHeld = true }
        loop.executeNow { self.write(bytes) }
    }

    /// The peer has proven who it is: its connection waits in no line of unknown peers any more.
    package func notePeerIsKnown() {
        loop.executeNow { self.known() }
    }

    /// Sends the response that the handler returns without its body, then what `content` writes. `content` runs in the
    /// handler's task, which is cancelled when the peer leaves, and when the server stops: it should then write its
    /// last piece and return. It runs once whatever happens, but for HEAD, to which no content is sent.
    package func stream(_ content: @escaping Content) {
        state.withLock { $0.content = content }
    }

    /// Calls `body` once on the loop's thread, with true when the response's last byte was handed to the kernel, with
    /// false when that can no longer happen.
    package func onDelivered(_ body: @escaping @Sendable (Bool) -> Void) {
        let known = state.withLock { state in
            if state.delivered == nil { state.observers.append(body) }
            return state.delivered
        }
        if let known { loop.executeNow { body(known) } }
    }

    // MARK: For the connection, on the loop's thread

    var isHeld: Bool { state.withLock { $0.isHeld } }

    func takeContent() -> Content? {
        state.withLock { $0.content.take() }
    }

    func notePeerLeft() {
        state.withLock { $0.peerHasLeft = true }
    }

    func settle(delivered: Bool) {
        let observers = state.withLock { state in
            guard state.delivered == nil else { return [@Sendable (Bool) -> Void]() }
            state.delivered = delivered
            defer { state.observers = [] }
            return state.observers
        }
        for observer in observers { observer(delivered) }
    }
}
