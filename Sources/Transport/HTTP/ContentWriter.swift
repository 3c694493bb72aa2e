import Loop

/// Writes the content of one response in pieces. Any thread may use it.
package struct ContentWriter: Sendable {
    private let loop: EventLoop
    private let send: @Sendable ([UInt8], @escaping OutputQueue.Outcome) -> Void

    /// - Parameter send: Sends a piece of content; called on the loop's thread.
    init(loop: EventLoop, send: @escaping @Sendable ([UInt8], @escaping OutputQueue.Outcome) -> Void) {
        self.loop = loop
        self.send = send
    }

    /// Sends a piece, and returns when the kernel has taken it: a peer that reads slowly holds the writer back. Returns
    /// false if the peer takes nothing more.
    package func write(_ bytes: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            loop.executeNow { send(bytes) { continuation.resume(returning: $0) } }
        }
    }
}
