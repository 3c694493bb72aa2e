package import Loop
import Platform

/// One request on its way to its answer, for what a returned response cannot say. Any thread may use it.
package final class Exchange: Sendable {
    private struct State {
        var peerHasLeft = false
        var isHeld = false
        var delivered: Bool?
        var observers: [@Sendable (Bool) -> Void] = []
    }

    private let loop: EventLoop
    private let state = Locked(State())
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: sends interim answers. A connection makes its exchanges; tests of a handler make their own.
    package init(loop: EventLoop, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.loop = loop
        self.write = write
    }

    /// Whether the peer is known to have left. False in a task that was cancelled because the server stops.
    package var peerHasLeft: Bool { state.withLock { $0.peerHasLeft } }

    /// Sends an interim answer (`102`), whole, at once. Marks the call as held: a server that stops leaves it
    /// unanswered, so that its caller comes back to the next one.
    package func sendInterim(_ bytes: [UInt8]) {
        state.withLock { $0.isHeld = true }
        loop.executeNow { self.write(bytes) }
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
