package import Core

/// A source of approvers: connected clients, polls, notification channels.
package protocol ApproverSource: Sendable {
    var approvers: Int { get }
}

/// Reports the number of approvers, from all sources together, to the broker: requests are not held while it is 0.
package struct Approvers: Sendable {
    private let sources: [any ApproverSource]
    private let broker: Broker

    package init(_ sources: [any ApproverSource], broker: Broker) {
        self.sources = sources
        self.broker = broker
    }

    private var count: Int { sources.reduce(0) { $0 + $1.approvers } }

    /// Returns once the broker knows the current number, even if it changes meanwhile.
    package func tell() async {
        var told = count
        await broker.approversChanged(to: told)
        while told != count {
            told = count
            await broker.approversChanged(to: told)
        }
    }

    /// Tells the broker after each change, until the signal is finished.
    package func follow(_ signal: ChangeSignal) async {
        for await _ in signal.changes { await tell() }
    }
}

/// Signals a change to one listener. Changes in quick succession may arrive as one.
package struct ChangeSignal: Sendable {
    /// The changes, for one listener.
    package let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Never waits.
    package func send() { continuation.yield() }

    package func finish() { continuation.finish() }
}
