import Wire

/// A WebSocket over the daemon's Unix socket, for a caller that waits with `poll`: `receive` reads once.
struct DaemonFrames {
    private let socket: DaemonSocket
    private var upgrade: HTTPResponseParser? = HTTPResponseParser()
    private var decoder = WebSocketDecoder(role: .client)
    /// Messages for the time before the daemon has accepted the upgrade.
    private var unsent: [[UInt8]] = []

    init(socketPath: String, target: String) throws(CommandFailure) {
        socket = try DaemonSocket(path: socketPath, seconds: nil)
        let key = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let handshake = WebSocketHandshake.request(target: target, host: "localhost", key: key, subprotocols: ["cdev"])
        try socket.send(handshake.serialized())
    }

    /// For `poll`: readable when `receive` has something to do.
    var descriptor: Int32 { socket.descriptor }

    mutating func send(_ text: [UInt8]) throws(CommandFailure) {
        guard upgrade == nil else { return unsent.append(text) }
        try socket.send(WebSocketFrame.text(utf8: text, mask: UInt32.random(in: 0...UInt32.max)))
    }

    /// Reads once and returns the messages that are complete; `nil` when the daemon has closed the connection.
    mutating func receive() throws(CommandFailure) -> [String]? {
        let bytes = try socket.receive()
        guard !bytes.isEmpty else { return nil }
        if upgrade == nil {
            decoder.receive(bytes)
        } else if try !agree(bytes) {
            return []
        }
        return try messages()
    }

    /// Reads the daemon's response to the handshake; true once the protocol is WebSocket.
    private mutating func agree(_ bytes: [UInt8]) throws(CommandFailure) -> Bool {
        upgrade?.receive(bytes)
        guard let event = upgrade?.next() else { return false }
        guard case .response(let response) = event, response.status.code == 101 else {
            throw CommandFailure(.refused, "the daemon did not open a stream of messages")
        }
        decoder.receive(upgrade?.takeRemaining() ?? [])
        upgrade = nil
        for message in unsent { try send(message) }
        unsent = []
        return true
    }

    private mutating func messages() throws(CommandFailure) -> [String]? {
        var messages: [String] = []
        while let event = decoder.next() {
            switch event {
            case .text(let text): messages.append(text)
            case .ping(let payload):
                try socket.send(WebSocketFrame.pong(payload, mask: UInt32.random(in: 0...UInt32.max)))
            // Messages before the close are returned first; the next read finds the end.
            case .close, .failure: return messages.isEmpty ? nil : messages
            default: continue
            }
        }
        return messages
    }
}
