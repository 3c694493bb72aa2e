import Glibc
import OrderedJSON

/// Stands in for the model's API (`POST /v1/messages`): asks for one Bash call after the other, then ends the turn.
///
/// What is measured lies between the answer that asks for a call and the request that brings its result: the client's
/// own work, its hooks, and the tool. Each such time goes to stdout, in nanoseconds.
final class ScriptedModel {
    private let calls: Int
    private let listener: Int32
    private let poller = Poller()
    private var visitors: [Int: (socket: StreamSocket, buffer: [UInt8])] = [:]
    private var lastNumber = 0
    /// When the answer that asked for a call was sent, and how many calls the conversation had then.
    private var asked: (at: Nanoseconds, turn: Int)?

    private init(calls: Int) throws {
        self.calls = calls
        let (socket, port) = try StreamSocket.listen()
        listener = socket.descriptor
        visitors[0] = (socket, [])
        poller.add(socket, number: 0)
        print(port)
        fflush(nil)
    }

    static func serve(calls: Int) throws {
        let model = try ScriptedModel(calls: calls)
        while true { try model.turn() }
    }

    private func turn() throws {
        for number in try poller.wait(milliseconds: -1) {
            guard number != 0 else {
                lastNumber += 1
                let visitor = try StreamSocket.accept(from: listener)
                visitors[lastNumber] = (visitor, [])
                poller.add(visitor, number: lastNumber)
                continue
            }
            guard var visitor = visitors[number] else { continue }
            let isOpen = visitor.socket.receive(into: &visitor.buffer)
            visitors[number] = visitor
            if let length = HTTPText.wholeLength(visitor.buffer) {
                let arrived = Clock.now()
                answer(Array(visitor.buffer[..<length]), on: visitor.socket, arrived)
                visitors[number] = nil
            } else if !isOpen {
                visitors[number] = nil
            }
        }
    }

    private func answer(_ request: [UInt8], on socket: StreamSocket, _ arrived: Nanoseconds) {
        let head = HTTPText.headLength(request) ?? 0
        let line = String(decoding: request.prefix { $0 != 0x0D }, as: UTF8.self)
        guard line.hasPrefix("POST /v1/messages"), !line.contains("count_tokens"),
            let body = try? JSON(parsing: Array(request[head...]))
        else { return send(Self.plain(line.hasPrefix("POST") ? #"{"input_tokens":10}"# : "{}"), to: socket) }
        guard body["tools"]?.arrayValue?.isEmpty == false else {
            return send(Self.stream(text: "ok"), to: socket)
        }
        let turn = (body["messages"]?.arrayValue ?? []).count { $0["role"]?.stringValue == "assistant" }
        if let asked, turn == asked.turn + 1 {
            print(arrived - asked.at)
            fflush(nil)
        }
        send(turn < calls ? Self.stream(call: turn) : Self.stream(text: "done"), to: socket)
        asked = (Clock.now(), turn)
    }

    private func send(_ bytes: [UInt8], to socket: StreamSocket) {
        // A client that has left does not wait for its answer.
        try? socket.send(bytes)
    }

    private static func plain(_ body: String) -> [UInt8] {
        Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                .utf8)
    }

    private static func stream(call number: Int) -> [UInt8] {
        let id = "toolu_bench\(1000 + number)"
        return stream(
            id: id, block: ["type": "tool_use", "id": .string(id), "name": "Bash", "input": [:]],
            delta: [
                "type": "input_json_delta",
                "partial_json": .string(#"{"command":"echo \#(number)","description":"say a number"}"#),
            ], stop: "tool_use")
    }

    private static func stream(text: String) -> [UInt8] {
        stream(
            id: "text", block: ["type": "text", "text": ""], delta: ["type": "text_delta", "text": .string(text)],
            stop: "end_turn")
    }

    private static func stream(id: String, block: JSON, delta: JSON, stop: String) -> [UInt8] {
        let usage: JSON = ["input_tokens": 10, "output_tokens": 10]
        // Claude Code joins messages of the same id.
        let message: JSON = [
            "id": .string("msg_\(id)"), "type": "message", "role": "assistant", "model": "bench", "content": [],
            "stop_reason": nil, "stop_sequence": nil, "usage": usage,
        ]
        let events: [(String, JSON)] = [
            ("message_start", ["type": "message_start", "message": message]),
            ("content_block_start", ["type": "content_block_start", "index": 0, "content_block": block]),
            ("content_block_delta", ["type": "content_block_delta", "index": 0, "delta": delta]),
            ("content_block_stop", ["type": "content_block_stop", "index": 0]),
            (
                "message_delta",
                [
                    "type": "message_delta", "delta": ["stop_reason": .string(stop), "stop_sequence": nil],
                    "usage": usage,
                ]
            ),
            ("message_stop", ["type": "message_stop"]),
        ]
        let body = events.map { "event: \($0)\ndata: \($1.serialized())\n\n" }.joined()
        return Array(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                .utf8)
    }
}
