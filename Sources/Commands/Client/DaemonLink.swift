import OrderedJSON
import Wire

/// A WebSocket over the daemon's Unix socket, for a caller that waits with `poll`: `receive` reads once.
struct DaemonLink {
    enum Message {
        /// A notification's name, without `event/`, and its parameters.
        case event(String, JSON)
        /// The result or error of the request with this number.
        case reply(Int, Result<JSON, JSONRPCError>)
    }

    private let socket: DaemonSocket
    private var upgrade: HTTPResponseParser? = HTTPResponseParser()
    private var decoder = WebSocketDecoder(role: .client)
    private var lastID = 0
    /// Messages for the time before the daemon has accepted the upgrade.
    private var unsent: [[UInt8]] = []

    init(socketPath: String) throws(CommandFailure) {
        socket = try DaemonSocket(path: socketPath, seconds: nil)
        let key = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let handshake = WebSocketHandshake.request(target: "/ws", host: "localhost", key: key, subprotocols: ["cdev"])
        try socket.send(handshake.serialized())
    }

    /// For `poll`: readable when `receive` has something to do.
    var descriptor: Int32 { socket.descriptor }

    /// Sends a request and returns its number.
    mutating func request(_ method: String, _ params: JSON = [:]) throws(CommandFailure) -> Int {
        lastID += 1
        let message = JSONRPCMessage(id: .number(JSONNumber(lastID)), method: method, params: params).serialized()
        if upgrade == nil { try send(message) } else { unsent.append(message) }
        return lastID
    }

    /// Reads once and returns the messages that are complete; `nil` when the daemon has closed the connection.
    mutating func receive() throws(CommandFailure) -> [Message]? {
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
            throw CommandFailure(.refused, "the daemon did not open an event stream")
        }
        decoder.receive(upgrade?.takeRemaining() ?? [])
        upgrade = nil
        for message in unsent { try send(message) }
        unsent = []
        return true
    }

    private mutating func messages() throws(CommandFailure) -> [Message]? {
        var messages: [Message] = []
        while let event = decoder.next() {
            switch event {
            case .text(let text): if let message = Self.message(text) { messages.append(message) }
            case .ping(let payload):
                try socket.send(WebSocketFrame.pong(payload, mask: UInt32.random(in: 0...UInt32.max)))
            // Messages before the close are returned first; the next read finds the end.
            case .close, .failure: return messages.isEmpty ? nil : messages
            default: continue
            }
        }
        return messages
    }

    private static func message(_ text: String) -> Message? {
        guard let message = try? JSON(parsing: text) else { return nil }
        if let method = message["method"]?.stringValue {
            guard method.hasPrefix("event/") else { return nil }
            return .event(String(method.dropFirst(6)), message["params"] ?? [:])
        }
        guard let id = message["id"]?.intValue else { return nil }
        if let error = message["error"] {
            return .reply(id, .failure(JSONRPCError(error) ?? .internalError("the daemon failed without a reason")))
        }
        return .reply(id, .success(message["result"] ?? .null))
    }

    private func send(_ bytes: [UInt8]) throws(CommandFailure) {
        try socket.send(WebSocketFrame.text(utf8: bytes, mask: UInt32.random(in: 0...UInt32.max)))
    }
}

extension JSON {
    /// The parameters of `initialize`.
    ///
    /// - Parameter isApprover: While the connection is open, the client counts as an approver for whom requests are
    ///   held.
    static func introduction(name: String, version: String, isApprover: Bool) -> JSON {
        [
            "protocolVersion": "1.0", "clientInfo": ["name": .string(name), "version": .string(version)],
            "capabilities": ["approver": .bool(isApprover)],
        ]
    }
}
