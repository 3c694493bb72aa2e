import OrderedJSON
import Wire

/// An API in whose words a turn is asked for and answered. All that a turn does is the same in each of them.
struct ChatShape: Sendable {
    /// The path that takes its requests.
    let path: String
    /// Reads the body of a request.
    let read: @Sendable (JSONObject) throws(OpenAIFailure) -> ChatRequest
    let writer: @Sendable (ChatReply, ChatRequest) -> any ReplyWriter
    let spell: @Sendable (OpenAIFailure) -> JSON

    func response(_ failure: OpenAIFailure) -> HTTPResponse { failure.response(spell(failure)) }

    /// A refusal of the router or the authenticator in the words of this API.
    @Sendable func spelled(_ response: HTTPResponse) -> HTTPResponse { OpenAIFailure.spelled(response, spell) }
}

/// Tells what comes of one turn in the words of an API: in one piece, or as server-sent events.
protocol ReplyWriter: Sendable {
    /// - Parameter text: All of the answer.
    func whole(_ text: String, _ end: ChatEnd) -> JSON
    /// Returns the events before the first text; sent at once.
    mutating func begin() -> [UInt8]
    mutating func add(_ text: String) -> [UInt8]
    /// Returns what shows a client that hears nothing else that the turn goes on.
    func wait(isAsking: Bool) -> [UInt8]
    /// Returns the last events.
    /// - Parameter text: All that was added.
    mutating func end(_ end: ChatEnd, behind text: String) -> [UInt8]
}

extension ServerSentEvent {
    /// An event whose name is the member `type` of its object too.
    static func typed(_ type: String, _ members: JSONObject) -> [UInt8] {
        let object: JSONObject = ["type": .string(type)]
        return event(type, JSON.object(object.with(members)).serialized())
    }
}

extension JSONObject {
    /// The members of both; the later, of those that both have.
    func with(_ more: JSONObject) -> JSONObject {
        var sum = self
        for (name, value) in more { sum[name] = value }
        return sum
    }
}

extension ReplyWriter {
    func wait(isAsking: Bool) -> [UInt8] {
        ServerSentEvent.comment(isAsking ? "waiting for an approval" : "keep-alive")
    }
}
