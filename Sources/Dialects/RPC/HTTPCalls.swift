import Core
import OrderedJSON
import Services
import Wire

/// The methods over HTTP: a request holds a call or a batch, the response holds the answers.
struct HTTPCalls: Sendable {
    private let services: RPCServices

    private struct Visitor: RPCClient {
        let caller: Caller
        let id: String
        var isFramed: Bool { false }

        func introduce(_ introduction: ClientIntroduction) async {}
    }

    init(services: RPCServices) {
        self.services = services
    }

    func answer(
        _ request: HTTPRequest, from sender: Sender, via pending: any PendingResponse
    ) async -> HTTPResponse {
        await answer(request.body, of: sender.caller, via: pending)
    }

    /// The OpenRPC document, for tools that fetch it with GET.
    func describe(to sender: Sender) async -> HTTPResponse {
        let call = JSONRPC.decode(["jsonrpc": "2.0", "id": 1, "method": "rpc.discover"])
        let reply = await services.dispatcher.reply(to: call, from: Visitor(caller: sender.caller, id: "")) ?? []
        return .json((try? JSON(parsing: reply))?["result"] ?? [:])
    }

    private func answer(_ body: [UInt8], of caller: Caller, via pending: any PendingResponse) async -> HTTPResponse {
        guard services.rates.admits(bytes: body.count, from: caller) else {
            return .error(.tooManyRequests, "more than 32 MiB in a minute", headers: ["Retry-After": "60"])
        }
        guard let message = await services.read(body) else {
            return .error(.serviceUnavailable, "too many large requests at a time; send it again in a moment")
        }
        guard services.rates.admits(messages: message.payload.entries.count, from: caller) else {
            return .error(.tooManyRequests, "more than 600 messages in a minute", headers: ["Retry-After": "60"])
        }
        let visitor = Visitor(caller: caller, id: RandomText.base32(bits: 128))
        guard let answer = await reply(to: message, from: visitor) else {
            return HTTPResponse(.noContent)
        }
        // Until the client has taken it, it counts as one of the caller's.
        if let turn = answer.turn { pending.onDelivered { _ in withExtendedLifetime(turn) {} } }
        return HTTPResponse(
            message.payload.isUnreadable ? .badRequest : .ok, headers: ["Content-Type": "application/json"],
            body: answer.bytes)
    }

    private func reply(to message: ReadMessage, from visitor: Visitor) async -> Dispatcher.Answer? {
        guard let lane = services.lane(for: message) else {
            return await services.dispatcher.answer(to: message.payload, from: visitor)
        }
        // A new task, because this one runs on the loop's thread.
        let work = Task(executorPreference: lane) {
            await services.dispatcher.answer(to: message.payload, from: visitor)
        }
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }
}

extension JSONRPC.Payload {
    /// True if the body was not JSON.
    fileprivate var isUnreadable: Bool {
        guard !isBatch, case .invalid(let response)? = entries.first, case .failure(let error) = response.outcome else {
            return false
        }
        return error.code == -32700
    }
}
