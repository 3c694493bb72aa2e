package import Loop
import Platform

/// One request that is being answered. Through it a handler sends interim answers, and learns whether the peer has left
/// and whether the response was delivered. Any thread may use it.
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

    /// - Parameter write: Sends interim answers. Connections make exchanges, and so do tests of a handler.
    package init(loop: EventLoop, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.loop = loop
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
