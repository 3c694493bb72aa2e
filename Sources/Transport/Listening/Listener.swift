import CPlatform
import Loop

/// Accepts connections on one listening descriptor while it is open.
final class Listener: @unchecked Sendable {  // guard: used on its loop's thread only
    enum Kind {
        case unix, tcp
    }

    let kind: Kind
    private let descriptor: Int32
    private let accepted: (Int32) -> Void
    /// Returns true if one more connection may be accepted now.
    private let hasRoom: () -> Bool
    private let atOnce: Int
    /// Called when the system is out of descriptors or memory; then `resume` must be called after a while.
    private let exhausted: () -> Void
    private var source: EventSource?

    init(
        loop: EventLoop, kind: Kind, descriptor: Int32, atOnce: Int, hasRoom: @escaping () -> Bool,
        accepted: @escaping (Int32) -> Void, exhausted: @escaping () -> Void
    ) {
        self.kind = kind
        self.descriptor = descriptor
        self.atOnce = atOnce
        self.hasRoom = hasRoom
        self.accepted = accepted
        self.exhausted = exhausted
        let source = EventSource(loop: loop, descriptor: descriptor, for: .reading) { self.accept(atMost: atOnce) }
        self.source = source
        source.arm()
    }

    /// True while the listener accepts nothing until `resume`.
    var isPaused: Bool { source.map { !$0.isArmed } ?? false }

    /// Accepts again after a pause, if there is room.
    func resume() {
        guard let source, !source.isArmed, hasRoom() else { return }
        source.arm()
    }

    /// Stops accepting. The caller closes the descriptor.
    func close() {
        source?.cancel()
        source = nil
    }

    /// Accepts the connections that wait, as long as there is room. Beyond `most` they wait for the loop's next turn.
    func accept(atMost most: Int) {
        var left = most
        while left > 0, let source {
            left -= 1
            // The source would fire without end while a connection waits, so it is disarmed until there is room.
            guard hasRoom() else { return source.disarm() }
            let connection = cplatform_accept(descriptor, kind == .tcp ? 1 : 0)
            switch connection {
            case 0...: accepted(connection)
            case -ECONNABORTED, -EPROTO: continue
            case -EAGAIN: return
            default:
                source.disarm()
                return exhausted()
            }
        }
    }
}
