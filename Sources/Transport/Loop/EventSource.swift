import CEvents

/// One libevent event: a descriptor, a signal or a timeout, and what to do when it fires.
///
/// The handler is kept until `cancel()`, so a source and its owner may hold each other; whoever made it cancels it.
final class EventSource: @unchecked Sendable {  // guard: used on its loop's thread only
    private let loop: EventLoop
    private var event: OpaquePointer?
    private var handler: (() -> Void)?
    private(set) var isArmed = false

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

    func arm(after delay: Duration? = nil) {
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

    func disarm() {
        guard isArmed, let event else { return }
        isArmed = false
        event_del(event)
    }

    func cancel() {
        disarm()
        if let event { event_free(event) }
        event = nil
        handler = nil
    }

    private func fire() {
        loop.inCallback { handler?() }
    }
}
