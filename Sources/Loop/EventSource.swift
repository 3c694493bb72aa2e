import CEvents

/// One libevent event: a descriptor, a signal or a timeout, and the handler to call when the event fires.
///
/// The handler is kept until `cancel()`, so a source and its owner may retain each other until the owner cancels.
package final class EventSource: @unchecked Sendable {  // guard: used on its loop's thread only
    private let loop: EventLoop
    private var event: OpaquePointer?
    private var handler: (() -> Void)?
    package private(set) var isArmed = false

    /// The readiness of a descriptor that a source waits for.
    package enum Readiness {
        case reading, writing
    }

    /// A source that, once armed, fires whenever the descriptor is ready.
    package convenience init(
        loop: EventLoop, descriptor: Int32, for readiness: Readiness, handler: @escaping () -> Void
    ) {
        let kind = readiness == .reading ? EV_READ : EV_WRITE
        self.init(loop: loop, number: descriptor, kinds: kind | EV_PERSIST, handler: handler)
    }

    /// - Parameters:
    ///   - number: a descriptor, a signal number, or -1 for a timeout alone.
    ///   - kinds: libevent's `EV_…` flags.
    init(loop: EventLoop, number: Int32, kinds: Int32, handler: @escaping () -> Void) {
        self.loop = loop
        self.handler = handler
        let me = Unmanaged.passUnretained(self).toOpaque()
        event = event_new(
            loop.base, number, Int16(kinds),
            { _, _, context in Unmanaged<EventSource>.fromOpaque(context!).takeUnretainedValue().fire() }, me)
    }

    deinit {
        if let event { event_free(event) }
    }

    /// - Parameter delay: the timeout of a timer; nil waits without one.
    package func arm(after delay: Duration? = nil) {
        guard let event else { return }
        isArmed = true
        guard let delay else {
            _ = event_add(event, nil)
            return
        }
        let (seconds, attoseconds) = max(delay, .zero).components
        var time = timeval(tv_sec: Int(clamping: seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
        event_add(event, &time)
    }

    package func disarm() {
        guard isArmed, let event else { return }
        isArmed = false
        event_del(event)
    }

    package func cancel() {
        disarm()
        if let event { event_free(event) }
        event = nil
        handler = nil
    }

    private func fire() {
        loop.inCallback { handler?() }
    }
}
