import Loop
import Platform
import Services

/// The daemon's loop, and one thread beside it where large events are encoded. Answers to hooks do not wait for the
/// encoding.
struct LoopThreads: EventThreads {
    let loop: EventLoop
    private let lane = WorkLane(threads: 1, mostWeight: .max)

    init(loop: EventLoop) {
        self.loop = loop
    }

    func beside(weight: Int, _ body: @escaping @Sendable () -> Void) { _ = lane.start(weight: weight, body) }

    func onLoop(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }

    /// Returns once every event published before was passed to its subscribers.
    func drain() async {
        await lane.run(weight: 0) {}
        await loop.run {}
    }
}
