import Loop
import Wire

/// Hands the messages of one connection to its session, one after the other.
final class WebSocketInbox: @unchecked Sendable {  // guard: used on its loop's thread only
    private enum Item {
        case opened(WebSocketConnection)
        case message(WebSocketMessage)
        case closed(WebSocketClosure)
    }

    private let loop: EventLoop
    /// Nil once it was told of the end: it may hold its connection, which holds this.
    private var session: (any WebSocketSession)?
    private let limits: ServerLimits
    private var items: [Item] = []
    private var byteCount = 0
    private var hasEnded = false
    private var isRunning = false
    /// The channel to read from again once there is room.
    private weak var channel: Channel?

    init(loop: EventLoop, session: any WebSocketSession, limits: ServerLimits) {
        self.loop = loop
        self.session = session
        self.limits = limits
    }

    /// Whether the peer should be kept from sending more for now.
    var isFull: Bool { items.count >= limits.readAheadMessages || byteCount >= limits.readAheadBytes }

    func open(_ socket: WebSocketConnection) {
        channel = socket.channel
        add(Item.opened(socket))
    }

    func add(_ message: WebSocketMessage) {
        guard !hasEnded else { return }
        byteCount += message.byteCount
        add(Item.message(message))
    }

    /// The first end counts.
    func end(_ closure: WebSocketClosure) {
        guard !hasEnded else { return }
        hasEnded = true
        add(Item.closed(closure))
    }

    private func add(_ item: Item) {
        items.append(item)
        guard !isRunning else { return }
        isRunning = true
        _ = loop.spawn { await self.run() }
    }

    /// One task at a time, so no message overtakes another; none while there is nothing to do, so that an idle
    /// connection does not hold its memory.
    private func run() async {
        while !items.isEmpty {
            let batch = items
            items = []
            for item in batch { await deliver(item) }
            if !isFull { channel?.resumeReading() }
        }
        isRunning = false
    }

    private func deliver(_ item: Item) async {
        guard let session else { return }
        switch item {
        case .opened(let socket): await session.opened(socket)
        case .message(let message):
            await session.received(message)
            byteCount -= message.byteCount
        case .closed(let closure):
            self.session = nil
            await session.closed(closure)
        }
    }
}
