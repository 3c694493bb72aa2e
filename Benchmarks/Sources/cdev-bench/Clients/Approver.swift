import OrderedJSON
import Transport
import Wire

/// A client that may decide, over a WebSocket on the daemon's Unix socket.
final class Approver {
    let socket: StreamSocket
    private var decoder = WebSocketDecoder(role: .client)
    /// Events that were read while something else was waited for, oldest first.
    private var events: [JSON] = []
    private var replies: [Int: JSON] = [:]
    private var lastID = 0
    /// Events are not even parsed.
    private var isForgetting = false

    init(_ socket: StreamSocket) throws {
        self.socket = socket
        let key = [UInt8](repeating: 7, count: 16)
        try socket.send(Approver.handshake(key: key))
        var bytes: [UInt8] = []
        while HTTPText.headLength(bytes) == nil {
            guard socket.receive(into: &bytes) else { throw BenchError("the daemon refused a WebSocket") }
        }
        guard bytes.starts(with: "HTTP/1.1 101".utf8), let head = HTTPText.headLength(bytes) else {
            throw BenchError("the daemon refused a WebSocket: \(String(decoding: bytes, as: UTF8.self))")
        }
        decoder.receive(bytes[head...])
        _ = try call("initialize", ["clientInfo": ["name": "cdev-bench", "version": "1"], "capabilities": [:]])
    }

    static func handshake(key: [UInt8], host: String = "localhost", bearer: String? = nil) -> [UInt8] {
        let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let text =
            "GET /ws HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(authorization)"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(Base64.encode(key))\r\n\r\n"
        return Array(text.utf8)
    }

    /// Sends a call without waiting for its reply.
    @discardableResult
    func send(_ method: String, _ parameters: JSON) throws -> Int {
        lastID += 1
        let message: JSON = [
            "jsonrpc": "2.0", "id": .init(integerLiteral: lastID), "method": .string(method), "params": parameters,
        ]
        var bytes: [UInt8] = []
        message.write(into: &bytes)
        try socket.send(WebSocketFrame.text(utf8: bytes, mask: 0x1234_5678))
        return lastID
    }

    func call(_ method: String, _ parameters: JSON) throws -> JSON {
        try reply(to: send(method, parameters))
    }

    func reply(to id: Int) throws -> JSON {
        while true {
            if let reply = replies.removeValue(forKey: id) {
                guard let result = reply["result"] else { throw BenchError(reply.serialized()) }
                return result
            }
            try readMore()
        }
    }

    /// Reads once, and forgets the events; whether the reply has come.
    func readReply(_ id: Int) throws -> Bool {
        isForgetting = true
        defer { isForgetting = false }
        try readMore()
        return replies.removeValue(forKey: id) != nil
    }

    /// The next event of this name; others before it are dropped.
    func event(_ name: String) throws -> JSON {
        while true {
            while !events.isEmpty {
                let event = events.removeFirst()
                if event["method"]?.stringValue == name { return event["params"] ?? nil }
            }
            try readMore()
        }
    }

    /// Reads what is there and forgets its events.
    func drain() throws {
        while socket.hasInput() { try readMore() }
        events = []
    }

    func decide(_ requestID: String, _ decision: String, scope: String = "once") throws -> Int {
        try send(
            "permission/respond",
            ["request_id": .string(requestID), "decision": .string(decision), "scope": .string(scope)])
    }

    private func readMore() throws {
        var bytes: [UInt8] = []
        guard socket.receive(into: &bytes) else { throw BenchError("the daemon closed the WebSocket") }
        decoder.receive(bytes)
        while let event = decoder.next() { try take(event) }
    }

    private func take(_ event: WebSocketEvent) throws {
        switch event {
        case .text(let text):
            if isForgetting, text.utf8.starts(with: #"{"jsonrpc":"2.0","method""#.utf8) { return }
            let message = try JSON(parsing: Array(text.utf8))
            if let id = message["id"]?.intValue { replies[id] = message } else { events.append(message) }
        case .ping(let payload): try socket.send(WebSocketFrame.pong(payload, mask: 1))
        case .close, .failure: throw BenchError("the daemon closed the WebSocket: \(event)")
        default: break
        }
    }
}
