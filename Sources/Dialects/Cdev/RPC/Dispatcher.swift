import Core
import OrderedJSON
package import Wire

/// JSON-RPC 2.0 in, JSON-RPC 2.0 out: finds the method, checks the right, calls it, and keeps answers below the ceiling.
package struct Dispatcher: Sendable {
    private let services: Services
    private let table: MethodTable
    private let mostAnswered: Int

    /// - Parameter mostAnswered: Bytes of a batch's answers after which nothing more is read for it.
    package init(services: Services, table: MethodTable = .standard, mostAnswered: Int = 16 << 20) {
        self.services = services
        self.table = table
        self.mostAnswered = mostAnswered
    }

    /// The bytes to answer with; nil where nothing is to be said. The entries of a batch are worked off in order.
    package func reply(to payload: JSONRPC.Payload, from client: any RPCClient) async -> [UInt8]? {
        var responses: [[UInt8]] = []
        var size = 2  // the brackets of a batch
        var answered = 0
        for entry in payload.entries {
            // A thousand answers can be gigabytes, and who has left wants none; what changes something is done.
            let isEnough = payload.isBatch && (answered > mostAnswered || Task.isCancelled)
            let isSkipped = isEnough && onlyReads(entry)
            let answer =
                isSkipped
                ? Self.skipped(entry) : await respond(to: entry, from: client, mayWait: !payload.isBatch)
            guard let answer else { continue }
            var response = answer.serialized()
            answered += response.count
            if client.isFramed, size + response.count + 1 > FrameCeiling.bytes {
                response = Self.tooLarge(answer, payload.isBatch).serialized()
            }
            size += response.count + 1
            responses.append(response)
        }
        if client.isFramed, size > FrameCeiling.bytes {
            // So many entries that even refusing each is too much.
            return Self.tooLarge(JSONRPCResponse(id: .null, result: [:]), true).serialized()
        }
        return payload.encode(responses)
    }

    /// Whether answering may take long: on a connection whose messages are worked off in order, others must not wait.
    package func isSlow(_ payload: JSONRPC.Payload) -> Bool {
        payload.entries.contains { entry in
            if case .call(let message) = entry { table[message.method]?.isSlow == true } else { false }
        }
    }

    /// Whether its answer may be large, or is made of many: then it is made off the loop, in its turn.
    package func isLarge(_ payload: JSONRPC.Payload) -> Bool {
        payload.entries.count > Self.mostAtOnce
            || payload.entries.contains { entry in
                if case .call(let message) = entry { table[message.method]?.isLarge == true } else { false }
            }
    }

    /// Entries of a batch that are worked off on the loop.
    private static let mostAtOnce = 8

    private func onlyReads(_ entry: JSONRPC.Entry) -> Bool {
        guard case .call(let message) = entry, let method = table[message.method] else { return false }
        return method.right == .read || method.isSlow
    }

    private static func skipped(_ entry: JSONRPC.Entry) -> JSONRPCResponse? {
        guard case .call(let message) = entry, let id = message.id else { return nil }
        return JSONRPCResponse(
            id: id, error: .internalError("not read, for the answers before it are too large: ask again by itself"))
    }

    /// Whether it asks to wait for an event.
    package static func mayWait(_ payload: JSONRPC.Payload) -> Bool {
        guard !payload.isBatch, case .call(let message)? = payload.entries.first else { return false }
        return message.method == Method.eventsSince.name && message.params?["wait"]?.intValue ?? 0 > 0
    }

    private func respond(
        to entry: JSONRPC.Entry, from client: any RPCClient, mayWait: Bool
    ) async -> JSONRPCResponse? {
        switch entry {
        case .invalid(let response): return response
        case .call(let message):
            let outcome = await outcome(of: message, from: client, mayWait: mayWait)
            guard let id = message.id else { return nil }
            switch outcome {
            case .success(let result): return JSONRPCResponse(id: id, result: result)
            case .failure(let error): return JSONRPCResponse(id: id, error: error)
            }
        }
    }

    private func outcome(
        of message: JSONRPCMessage, from client: any RPCClient, mayWait: Bool
    ) async -> Result<JSON, JSONRPCError> {
        do throws(JSONRPCError) {
            guard let method = table[message.method] else {
                throw .methodNotFound("there is no method \"\(shortened(message.method))\"; rpc.discover lists all")
            }
            guard await services.access.admits(client.caller) else {
                throw Self.revoked
            }
            if let right = method.right, !client.caller.may(right) || method.isForPeople && client.caller.isAgent {
                await services.access.refused(client.caller, method: method.name)
                throw Self.refusal(of: method, client.caller.may(right) ? .administer : right)
            }
            let call = Call(
                arguments: try Arguments(message.params), client: client, services: services, table: table,
                mayWait: mayWait)
            let result = try await method.handler(call)
            // Reading takes its time, and a poll waits: who was revoked meanwhile is told nothing more.
            if method.right == .read || method.isSlow, !(await services.access.admits(client.caller)) {
                throw Self.revoked
            }
            return .success(result)
        } catch {
            return .failure(error)
        }
    }

    private static let revoked = JSONRPCError.invalidRequest(
        "this device was revoked; pair it again", data: ["refused": "revoked"])

    static func refusal(of method: Method, _ right: Right) -> JSONRPCError {
        let why =
            switch right {
            case .administer:
                "only the user's own terminal may do this, not a device and not a process inside an agent"
            case .decide:
                "this caller may look but not answer: a device with view rights never may, nor a process inside an "
                    + "agent"
            case .read, .report: "a token is needed; create one with `cdev token create NAME`"
            }
        return .invalidRequest("\(method.name) is refused: \(why)", data: ["refused": .string(right.rawValue)])
    }

    private static func tooLarge(_ response: JSONRPCResponse, _ isBatch: Bool) -> JSONRPCResponse {
        let advice = isBatch ? "send fewer requests in one batch" : "ask for fewer items, or over POST /rpc"
        return JSONRPCResponse(
            id: response.id.json.length > FrameCeiling.longestID ? .null : response.id,
            error: .internalError("the answer is larger than a frame may be (\(FrameCeiling.bytes) bytes); \(advice)"))
    }

    private func shortened(_ text: String) -> String {
        text.utf8.count <= 80 ? text : String(text.prefix(80)) + "…"
    }
}
