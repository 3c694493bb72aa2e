import OrderedJSON
import Wire

/// A WebSocket to the daemon's Unix socket for one who waits elsewhere: it reads once when told that there is something.
struct DaemonLink {
    enum Message {
        /// A notification's name, without `event/`, and its parameters.
        case event(String, JSON)
        /// What became of the request of this number.
        case reply(Int, Result<JSON, JSONRPCError>)
    }

    private let socket: DaemonSocket
    private var upgrade: HTTPResponseParser? = HTTPResponseParser()
    private var decoder = WebSocketDecoder(role: .client)
    private var lastID = 0
    /// Requests made before the other side has agreed to the protocol.
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

    /// Reads once and returns what came whole; `nil` when the daemon has closed.
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

    /// Whether the protocol has changed to WebSocket.
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
            // What came before it counts; the next read finds the end.
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
    /// - Parameter isApprover: While the connection is open, questions are held for it.
    static func introduction(name: String, version: String, isApprover: Bool) -> JSON {
        [
            "protocolVersion": "1.0", "clientInfo": ["name": .string(name), "version": .string(version)],
            "capabilities": ["approver": .bool(isApprover)],
        ]
    }
}
