import Core
import Wire

/// The parts of a request for a completion that are not in its body.
struct ChatCall: Sendable {
    let caller: Caller
    let connection: UInt64
    let body: [UInt8]
    /// The chat of a front end, as it names it; `nil` for none.
    let chat: String?
    /// True where the client says that it has sent the same request before.
    let isRepeated: Bool
    /// A name that the client gave to the request, so that it is run once.
    let key: String?
    /// The errand of a front end that asks for itself, such as a title for the chat; `nil` for a user's message.
    let errand: String?

    init(_ request: HTTPRequest, _ sender: Sender) {
        caller = sender.caller
        connection = sender.connection
        body = request.body
        let chats = ["X-OpenWebUI-Chat-Id", "X-Conversation-Id"].compactMap { request.headers[$0] }
        chat = chats.first { !$0.isEmpty }
        isRepeated = request.headers["X-Stainless-Retry-Count"].map { $0 != "0" } ?? false
        key = request.headers["Idempotency-Key"].flatMap { $0.isEmpty ? nil : $0 }
        errand = request.headers["X-OpenWebUI-Task"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The owner of what the call begins: the device, or the user at this machine.
    var owner: String { caller.deviceID ?? "" }
}
