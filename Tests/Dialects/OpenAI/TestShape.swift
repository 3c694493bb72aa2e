import OrderedJSON
import Wire

/// A shape as its client writes and reads it.
enum TestShape: String, CaseIterable {
    case completions, messages, responses

    var path: String {
        switch self {
        case .completions: "/v1/chat/completions"
        case .messages: "/v1/messages"
        case .responses: "/v1/responses"
        }
    }

    /// The user's texts and the answers by turns.
    func body(_ texts: [String], _ more: JSONObject = [:]) -> JSON {
        let messages = texts.enumerated().map { index, text -> JSON in
            ["role": index % 2 == 0 ? "user" : "assistant", "content": content(text, isAnswer: index % 2 == 1)]
        }
        var body: JSONObject = [self == .responses ? "input" : "messages": .array(messages)]
        for (name, value) in more { body[name] = value }
        return .object(body)
    }

    private func content(_ text: String, isAnswer: Bool) -> JSON {
        switch self {
        case .completions: .string(text)
        case .messages: [["type": "text", "text": .string(text)]]
        case .responses: [["type": isAnswer ? "output_text" : "input_text", "text": .string(text)]]
        }
    }

    /// The text of an answer in one piece.
    func text(_ answer: HTTPResponse) -> String? {
        switch self {
        case .completions: answer.content
        case .messages: answer.json?["content"]?.arrayValue?.first?["text"]?.stringValue
        case .responses: item(answer)?["content"]?.arrayValue?.first?["text"]?.stringValue
        }
    }

    private func item(_ answer: HTTPResponse) -> JSON? { answer.json?["output"]?.arrayValue?.first }

    /// The text of a stream.
    func streamed(_ answer: HTTPResponse) -> String {
        answer.frames.compactMap { frame -> String? in
            switch self {
            case .completions: frame?["choices"]?.arrayValue?.first?["delta"]?["content"]?.stringValue
            case .messages: frame?["delta"]?["text"]?.stringValue
            case .responses: frame?["delta"]?.stringValue
            }
        }.joined()
    }

    /// The code of a failure that is the answer, or stands in it.
    func code(_ answer: HTTPResponse) -> String? { code(answer.json) }

    private func code(_ object: JSON?) -> String? {
        let error = object?["error"]
        return (self == .messages ? error?["details"]?["error_code"] : error?["code"])?.stringValue
    }

    /// The code of a failure in a stream.
    func streamedCode(_ answer: HTTPResponse) -> String? {
        answer.frames.compactMap { code(self == .responses ? $0?["response"] : $0) }.first
    }
}
