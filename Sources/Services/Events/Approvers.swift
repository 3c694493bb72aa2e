package import Core

/// People or programs that can be asked.
package protocol ApproverSource: Sendable {
    var approvers: Int { get }
}

/// How many can be asked, from all sources together: while there is none, requests are not held.
package struct Approvers: Sendable {
    private let sources: [any ApproverSource]
    private let broker: Broker

    package init(_ sources: [any ApproverSource], broker: Broker) {
        self.sources = sources
        self.broker = broker
    }

    private var count: Int { sources.reduce(0) { $0 + $1.approvers } }

    /// Returns once the broker knows the number, also where it changes meanwhile.
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

/// Says that something has changed. Changes in quick succession may be heard of as one.
package struct ChangeSignal: Sendable {
    /// For one listener.
    package let changes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Never waits.
    package func send() { continuation.yield() }

    package func finish() { continuation.finish() }
}
