package import Wire

/// The messages of one WebSocket that its session has not handled, in their order. It runs nothing: its connection
/// starts a delivery where `add` and `end` say so, and hands batch after batch to the session.
package struct WebSocketInbox: Equatable {
    package enum Item: Equatable {
        case opened
        case message(WebSocketMessage)
        case closed(WebSocketClosure)
    }

    private let mostMessages: Int
    private let mostBytes: Int
    private var items: [Item] = []
    /// The bytes of all messages that were added and are not handled.
    private var byteCount = 0
    private var hasEnded = false
    private var isDelivering = false

    package init(limits: ServerLimits) {
        mostMessages = limits.readAheadMessages
        mostBytes = limits.readAheadBytes
    }

    /// True if no more should be read from the peer until messages have been handled.
    package var isFull: Bool { items.count >= mostMessages || byteCount >= mostBytes }

    /// The first item. Returns true if a delivery has to be started.
    package mutating func open() -> Bool { add(Item.opened) }

    /// Returns true if a delivery has to be started. Drops the message after the end.
    package mutating func add(_ message: WebSocketMessage) -> Bool {
        guard !hasEnded else { return false }
        byteCount += message.byteCount
        return add(Item.message(message))
    }

    /// The last item. Returns true if a delivery has to be started. Only the first end counts.
    package mutating func end(_ closure: WebSocketClosure) -> Bool {
        guard !hasEnded else { return false }
        hasEnded = true
        return add(Item.closed(closure))
    }

    private mutating func add(_ item: Item) -> Bool {
        items.append(item)
        defer { isDelivering = true }
        return !isDelivering
    }

    /// Returns what was added since the last batch; `nil` ends the delivery.
    package mutating func nextBatch() -> [Item]? {
        isDelivering = !items.isEmpty
        defer { items = [] }
        return isDelivering ? items : nil
    }

    /// The session has handled the message.
    package mutating func handled(_ message: WebSocketMessage) {
        byteCount -= message.byteCount
    }
}
