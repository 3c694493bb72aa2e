package import Core
import OrderedJSON
import Platform
package import Services
package import Wire

/// Answers JSON-RPC 2.0 messages: finds the method, checks the right, calls the handler, and keeps answers below the
/// frame ceiling.
package struct Dispatcher: Sendable {
    private let access: any AccessService
    private let table: MethodTable
    private let mostAnswered: Int
    private let refusal: @Sendable (Method, Right) -> JSONRPCError
    /// Bounds the readings whose making takes memory: those of a caller, and of all.
    private let readings = FairTurns(most: 6, mostOfKey: 2, mostWaiting: 62)

    /// - Parameters:
    ///   - mostAnswered: Bytes of a batch's answers after which its further reading calls are refused.
    ///   - refusal: Makes the error for a caller without the right.
    package init(
        access: any AccessService, table: MethodTable, mostAnswered: Int,
        refusal: @escaping @Sendable (Method, Right) -> JSONRPCError
    ) {
        self.access = access
        self.table = table
        self.mostAnswered = mostAnswered
        self.refusal = refusal
    }

    /// The bytes to answer with; nil if no answer is due.
    package func reply(to payload: JSONRPC.Payload, from client: any RPCClient) async -> [UInt8]? {
        await answer(to: payload, from: client)?.bytes
    }

    struct Answer {
        let bytes: [UInt8]
        /// To be kept until the client has taken the bytes: they are the caller's share of the memory.
        let turn: FairTurns.Turn?
    }

    /// Answers a message, a large reading when it is the caller's turn.
    func answer(to payload: JSONRPC.Payload, from client: any RPCClient) async -> Answer? {
        var turn: FairTurns.Turn?
        let bytes = await bytes(answering: payload, from: client, &turn)
        guard let turn else { return bytes.map { Answer(bytes: $0, turn: nil) } }
        if let bytes, bytes.count > Self.heavy { FreedMemory.giveBack() }
        turn.endWork()
        return bytes.map { Answer(bytes: $0, turn: turn) }
    }

    /// Bytes of an answer that took many times as much to be made.
    private static let heavy = 512 << 10

    /// The entries of a batch are processed in order; the first that needs a turn has it for the others.
    private func bytes(
        answering payload: JSONRPC.Payload, from client: any RPCClient, _ turn: inout FairTurns.Turn?
    ) async -> [UInt8]? {
        var responses: [[UInt8]] = []
        var size = 2  // the brackets of a batch
        var answered = 0
        for entry in payload.entries {
            // A thousand answers can be gigabytes, and a client that left needs none, so calls that only read are
            // skipped; calls that change something still run.
            let isEnough = payload.isBatch && (answered > mostAnswered || Task.isCancelled)
            let isSkipped = isEnough && onlyTells(entry)
            let answer =
                isSkipped
                ? Self.skipped(entry) : await respond(to: entry, from: client, mayWait: !payload.isBatch, &turn)
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
            // There are so many entries that even the refusals exceed a frame.
            return Self.tooLarge(JSONRPCResponse(id: .null, result: [:]), true).serialized()
        }
        return payload.encode(responses)
    }

    /// The scheduling of a message. A batch has that of its slowest entry; no entry of a batch waits for an event.
    package func scheduling(of payload: JSONRPC.Payload) -> Scheduling {
        guard payload.isBatch else { return payload.entries.first.map(scheduling) ?? .inOrder }
        let entries = payload.entries.map(scheduling)
        let limits = entries.compactMap { if case .beside(let limit) = $0 { limit } else { nil } }
        if let limit = limits.min() { return .beside(limit: limit) }
        let isLarge = entries.count > Self.mostAtOnce || entries.contains { $0 != .inOrder }
        return isLarge ? .inOrderOffLoop : .inOrder
    }

    /// The most entries of a batch that are processed on the loop.
    private static let mostAtOnce = 8

    private func scheduling(of entry: JSONRPC.Entry) -> Scheduling {
        guard case .call(let message) = entry, let method = table[message.method] else { return .inOrder }
        guard case .waits(let seconds) = method.scheduling else { return method.scheduling }
        return message.params?[seconds]?.intValue ?? 0 > 0 ? method.scheduling : .inOrderOffLoop
    }

    private func onlyTells(_ entry: JSONRPC.Entry) -> Bool {
        guard case .call(let message) = entry else { return false }
        return table[message.method]?.onlyTells == true
    }

    private static func skipped(_ entry: JSONRPC.Entry) -> JSONRPCResponse? {
        guard case .call(let message) = entry, let id = message.id else { return nil }
        return JSONRPCResponse(
            id: id, error: .internalError("not read, for the answers before it are too large: ask again by itself"))
    }

    private func respond(
        to entry: JSONRPC.Entry, from client: any RPCClient, mayWait: Bool, _ turn: inout FairTurns.Turn?
    ) async -> JSONRPCResponse? {
        switch entry {
        case .answer(let answer): return await client.take(answer) ? nil : Self.unasked(answer)
        case .invalid(let response): return response
        case .call(let message):
            let outcome = await outcome(of: message, from: client, mayWait: mayWait, &turn)
            guard let id = message.id else { return nil }
            switch outcome {
            case .success(let result): return JSONRPCResponse(id: id, result: result)
            case .failure(let error): return JSONRPCResponse(id: id, error: error)
            }
        }
    }

    private func outcome(
        of message: JSONRPCMessage, from client: any RPCClient, mayWait: Bool, _ turn: inout FairTurns.Turn?
    ) async -> Result<JSON, JSONRPCError> {
        do throws(JSONRPCError) {
            guard let method = table[message.method] else {
                let name = shortened(message.method)
                throw .methodNotFound(
                    table.former[message.method].map { "\"\(name)\" is not offered any more; call \($0)" }
                        ?? "there is no method \"\(name)\"; rpc.discover lists all")
            }
            guard await access.admits(client.caller) else {
                throw .revoked
            }
            if let right = method.right, !client.caller.may(right) || method.isForPeople && client.caller.isAgent {
                await access.refused(client.caller, method: method.name)
                throw refusal(method, client.caller.may(right) ? .administer : right)
            }
            if method.takesTurns, turn == nil { turn = try await self.turn(of: client.caller) }
            let call = Call(client: client, id: message.id, table: table, mayWait: mayWait)
            let arguments = try Arguments(message.params)
            let result = try await perform(method, call, arguments).get()
            // A read takes time, and a poll waits: a device that was revoked meanwhile gets no result.
            if method.onlyTells, !(await access.admits(client.caller)) {
                throw .revoked
            }
            return .success(result)
        } catch {
            return .failure(error)
        }
    }

    /// Whatever waits on the way to the work asks the permit again when its turn comes.
    private func perform(_ method: Method, _ call: Call, _ arguments: Arguments) async -> Result<JSON, JSONRPCError> {
        await CallPermit.$current.withValue(access.permit(of: call.caller)) { () -> Result<JSON, JSONRPCError> in
            do throws(JSONRPCError) { return .success(try await method.handler(call, arguments)) } catch {
                return .failure(error)
            }
        }
    }

    private func turn(of caller: Caller) async throws(JSONRPCError) -> FairTurns.Turn {
        guard let turn = await readings.begin(caller.deviceID ?? (caller.isAgent ? "agent" : "local")) else {
            throw .internalError(
                "\(readings.mostAtOnce) readings of this caller are at work or wait already; ask again when one is answered"
            )
        }
        guard !Task.isCancelled else { throw .internalError("the client left") }
        return turn
    }

    private static func unasked(_ answer: JSONRPCResponse) -> JSONRPCResponse {
        JSONRPCResponse(id: answer.id, error: .invalidRequest("nothing was asked with this id; send a \"method\""))
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

extension JSONRPCError {
    /// The caller's device was revoked, before the call or while it waited.
    static let revoked = JSONRPCError.invalidRequest(
        "this device was revoked; pair it again", data: ["refused": "revoked"])
}
