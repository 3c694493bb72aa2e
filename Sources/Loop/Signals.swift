import CEvents

extension EventLoop {
    /// A stream of the signals among `numbers` that the process gets from now on; they lose their default effect. The
    /// stream ends with the loop. Only one loop of a process may call this: libevent handles signals for one base.
    package func signals(_ numbers: [Int32]) async -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let feed = Feed(continuation: continuation)
        await run {
            for number in numbers {
                let source = EventSource(loop: self, number: number, kinds: EV_SIGNAL | EV_PERSIST) {
                    feed.continuation.yield(number)
                }
                self.adopt(source)
                source.arm()
            }
        }
        return stream
    }
}

/// Ends the stream when the last source that writes to it is gone.
private final class Feed: Sendable {
    let continuation: AsyncStream<Int32>.Continuation

    init(continuation: AsyncStream<Int32>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }
}
