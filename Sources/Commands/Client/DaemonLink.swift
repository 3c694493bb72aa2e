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

    private var frames: DaemonFrames
    private var lastID = 0

    init(socketPath: String) throws(CommandFailure) {
        frames = try DaemonFrames(socketPath: socketPath, target: "/ws")
    }

    /// For `poll`: readable when `receive` has something to do.
    var descriptor: Int32 { frames.descriptor }

    /// Sends a request and returns its number.
    mutating func request(_ method: String, _ params: JSON = [:]) throws(CommandFailure) -> Int {
        lastID += 1
        let message = JSONRPCMessage(id: .number(JSONNumber(lastID)), method: method, params: params)
        try frames.send(message.serialized())
        return lastID
    }

    /// Reads once and returns the messages that are complete; `nil` when the daemon has closed the connection.
    mutating func receive() throws(CommandFailure) -> [Message]? {
        try frames.receive()?.compactMap(Self.message)
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
