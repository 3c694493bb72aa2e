import OrderedJSON
import Wire

/// A refusal or a failure. OpenAI's clients read it as `{"error":{…}}`, in which form it is the JSON of this type.
struct OpenAIFailure: Error, Sendable, Hashable {
    let status: HTTPStatus
    let code: String
    let message: String
    /// The member of the request that is wrong.
    var param: String?
    /// False where the request may have started a turn: a client that sends it again by itself would start another.
    var mayBeRepeated = true
    /// Seconds after which it may be sent again.
    var delay: Int?

    init(
        _ status: HTTPStatus, _ code: String, _ message: String, param: String? = nil, mayBeRepeated: Bool = true,
        delay: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.param = param
        self.mayBeRepeated = mayBeRepeated
        self.delay = delay
    }

    static func invalid(_ message: String, param: String? = nil) -> OpenAIFailure {
        OpenAIFailure(.badRequest, "bad_request", message, param: param)
    }

    static func notFound(_ message: String, param: String? = nil) -> OpenAIFailure {
        OpenAIFailure(.notFound, "not_found", message, param: param)
    }

    /// A response that this dialect did not make, or whose session is no more; as OpenAI's API says so.
    static func unknownResponse(_ id: String) -> OpenAIFailure {
        OpenAIFailure(
            .badRequest, "previous_response_not_found",
            "there is no session with the response \(id.prefix(120)); send the conversation instead",
            param: "previous_response_id")
    }

    static func forbidden(_ message: String) -> OpenAIFailure {
        OpenAIFailure(.forbidden, "forbidden", message)
    }

    /// A clash with what the session does. Clients repeat a 409 by themselves unless they are told not to.
    static func conflict(_ code: String, _ message: String) -> OpenAIFailure {
        OpenAIFailure(.conflict, code, message, mayBeRepeated: false)
    }

    static func server(_ code: String, _ message: String) -> OpenAIFailure {
        OpenAIFailure(.internalServerError, code, message, mayBeRepeated: false)
    }

    /// Nothing was done; the request may be sent again.
    static func unavailable(_ code: String, _ message: String) -> OpenAIFailure {
        OpenAIFailure(.serviceUnavailable, code, message, delay: 5)
    }

    var json: JSON {
        [
            "error": [
                "message": .string(message), "type": .string(type), "param": .text(param), "code": .string(code),
                "status": .count(status.code),
            ]
        ]
    }

    var response: HTTPResponse { response(json) }

    /// - Parameter body: The failure in the words of the client's API.
    func response(_ body: JSON) -> HTTPResponse {
        var response = HTTPResponse.json(status, body)
        if !mayBeRepeated { response.headers.append("X-Should-Retry", "false") }
        if let delay { response.headers.append("Retry-After", "\(delay)") }
        return response
    }

    private var type: String {
        switch status.code {
        case 401: "authentication_error"
        case 403: "permission_error"
        case 429: "rate_limit_error"
        case 500...: "server_error"
        default: "invalid_request_error"
        }
    }

    /// A refusal of the router or the authenticator, which is `{"error":"…"}`, in the words of the client's API.
    static func spelled(_ response: HTTPResponse, _ spell: (OpenAIFailure) -> JSON) -> HTTPResponse {
        guard let message = (try? JSON(parsing: response.body))?["error"]?.stringValue else { return response }
        var spelled = response
        spelled.body = spell(OpenAIFailure(response.status, code(of: response.status), message)).serializedBytes()
        return spelled
    }

    private static func code(of status: HTTPStatus) -> String {
        switch status.code {
        case 401: "unauthorized"
        case 403: "forbidden"
        case 404: "not_found"
        case 429: "rate_limited"
        case 503: "unavailable"
        case 500...: "server_error"
        default: "bad_request"
        }
    }
}
