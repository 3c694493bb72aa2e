import Core
import Dialects
import Loop
import Platform

/// Gives events the form that clients get, in the order of their numbers. A small one at once; a large one on a thread
/// of its own, and what comes meanwhile waits behind it. Answers to hooks do not wait for events.
final class EventPress: @unchecked Sendable {  // guard: `underWay` is used on the loop's thread only
    private let loop: EventLoop
    private let deliver: @Sendable (Event, [UInt8]) -> Void
    private let lane = WorkLane(threads: 1, mostWeight: .max)
    private var underWay = 0

    /// - Parameter deliver: called on the loop.
    init(loop: EventLoop, deliver: @escaping @Sendable (Event, [UInt8]) -> Void) {
        self.loop = loop
        self.deliver = deliver
    }

    /// Call it on the loop.
    func publish(_ event: Event) {
        guard underWay > 0 || event.size > WorkLane.bytesAtOnce else {
            return deliver(event, EventEncoder.encode(event))
        }
        underWay += 1
        _ = lane.start(weight: event.size) { [self] in
            let encoded = EventEncoder.encode(event)
            loop.execute {
                self.underWay -= 1
                self.deliver(event, encoded)
            }
        }
    }

    /// Returns once everything published before is delivered.
    func drain() async {
        await lane.run(weight: 0) {}
        await loop.run {}
    }
}
