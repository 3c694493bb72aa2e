import OrderedJSON
import Wire

/// Calls the daemon's methods: JSON-RPC over HTTP, one connection for each call.
struct DaemonClient {
    let socketPath: String

    /// Returns the result of a method; throws its error as a command reports it.
    func call(_ method: String, _ params: JSON = [:]) throws(CommandFailure) -> JSON {
        let socket = try DaemonSocket(path: socketPath)
        let body = JSONRPCMessage(id: .number(JSONNumber(1)), method: method, params: params).serialized()
        let headers: HTTPHeaders = ["Host": "localhost", "Content-Type": "application/json", "Connection": "close"]
        let request = HTTPRequest(method: "POST", target: "/rpc", headers: headers, body: body)
        try socket.send(request.serialized())
        return try result(try response(socket), of: params)
    }

    /// The cards of all open requests, read in as many pages as there are.
    func pending() throws(CommandFailure) -> [JSON] {
        var cards: [JSON] = []
        while true {
            let page = try call("permission/pending", ["offset": .number(JSONNumber(cards.count))])
            cards += page.list("requests")
            guard let more = page["more"]?.intValue, more > 0, !page.list("requests").isEmpty else { return cards }
        }
    }

    private func response(_ socket: DaemonSocket) throws(CommandFailure) -> HTTPResponse {
        var parser = HTTPResponseParser(limits: Self.limits)
        while true {
            let bytes = try socket.receive()
            if !bytes.isEmpty { parser.receive(bytes) }
            while let event = bytes.isEmpty ? parser.finish() : parser.next() {
                switch event {
                case .response(let response): return response
                case .failure(let reason):
                    throw CommandFailure(.other, "the daemon's answer could not be read: \(reason)")
                default: continue
                }
            }
            if bytes.isEmpty { throw CommandFailure(.noDaemon, "the daemon closed the connection before it answered") }
        }
    }

    private func result(_ response: HTTPResponse, of params: JSON) throws(CommandFailure) -> JSON {
        guard let body = try? JSON(parsing: response.body) else {
            throw CommandFailure(.other, "the daemon answered \(response.status.code) with something that is not JSON")
        }
        if let error = body["error"] {
            if let text = error.stringValue { throw CommandFailure(.refused, text) }
            throw Self.failure(error, of: params)
        }
        return body["result"] ?? .null
    }

    /// The failure for a method's error. Its kind, refused or failed, decides the exit status.
    private static func failure(_ error: JSON, of params: JSON) -> CommandFailure {
        let message = error["message"]?.stringValue ?? "the daemon refused without a reason"
        if error["data"]?["refused"] != nil { return CommandFailure(.refused, message) }
        if error["code"]?.intValue == JSONRPCError.methodNotFound("").code {
            return CommandFailure(
                .other,
                "the daemon that runs is older than this command and cannot do that; `cdev restart` starts this one")
        }
        if let word = error["data"]?["confirm"]?["prompt"]?.stringValue {
            let id = ShortID.text(params.text("request_id"), among: [])
            return CommandFailure(.other, "type the word: cdev allow \(id) --confirm \(word.shown(64))")
        }
        guard let data = error["data"], data["decision"] != nil else { return CommandFailure(.other, message) }
        let end = DecisionWords.text(data, Paint(["NO_COLOR": "1"])) + DecisionWords.clause(data)
        return CommandFailure(.other, "too late, nothing done: it was \(end) (\(data.clock("at")))")
    }

    private static let limits: HTTPLimits = {
        var limits = HTTPLimits.standard
        limits.body = 64 << 20
        return limits
    }()
}
