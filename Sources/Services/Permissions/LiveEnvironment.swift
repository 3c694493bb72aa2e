package import Core
import Platform

/// The broker's environment in a running daemon: clock, timer, event hub, waits for the disk, and the process table.
package final class LiveEnvironment: BrokerEnvironment {
    private let clock: any TimeSource
    private let startTime: @Sendable (Int32) -> UInt64?
    private let hub: EventHub
    private let waits = DiskWaits()
    private let transcript: @Sendable (TranscriptQuery) -> TranscriptEnd?
    /// Apart from `waits`, so that transcripts leave their threads to the rules.
    private let reading = DiskWaits()
    private let timer = Locked<(any Cancellable)?>(nil)

    /// - Parameters:
    ///   - transcript: Reads the end of a session's transcript; may wait for the disk.
    ///   - startTime: When a process started; `nil` if there is none of this pid.
    package init(
        clock: any TimeSource, hub: EventHub, transcript: @escaping @Sendable (TranscriptQuery) -> TranscriptEnd?,
        startTime: @escaping @Sendable (Int32) -> UInt64?
    ) {
        self.clock = clock
        self.transcript = transcript
        self.startTime = startTime
        self.hub = hub
    }

    /// Cancels the timer.
    package func stop() { timer.withLock { $0 }?.cancel() }

    package func now() -> Instant { clock.now() }

    /// An id: 80 random bits, of which a person types the first letters, then the time, so that the database stores
    /// requests of one time together.
    package func makeID(_ prefix: String) -> String {
        prefix + RandomText.base32(bits: 80) + RandomText.base32(now().wall.milliseconds, letters: 10)
    }

    package func wake(at time: Uptime, _ body: @escaping @Sendable () async -> Void) {
        let next = clock.call(at: time) { Task { await body() } }
        let earlier = timer.withLock { timer in
            defer { timer = next }
            return timer
        }
        earlier?.cancel()
    }

    package func publish(_ event: EventRecord) { hub.publish(event) }

    package func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value? {
        await waits.run(root: root, clock: clock, body)
    }

    package func end(of query: TranscriptQuery) async -> TranscriptEnd? {
        await reading.run(root: query.path, clock: clock) { [transcript] in transcript(query) } ?? nil
    }

    package func startTime(ofProcess pid: Int32) -> UInt64? { startTime(pid) }
}
