import OrderedJSON
import Services
import Wire

/// A refusal or a failure in the form that this dialect's clients read: `{"error":"a_code","message":"a sentence"}`.
struct ClaudiatorFailure: Error, Sendable, Hashable {
    let status: HTTPStatus
    let message: String
    /// Seconds after which the request may be sent again.
    var delay: Int?

    init(_ status: HTTPStatus, _ message: String, delay: Int? = nil) {
        self.status = status
        self.message = message
        self.delay = delay
    }

    /// A body that is no JSON object, or a query that cannot be read.
    static func malformed(_ message: String) -> ClaudiatorFailure { ClaudiatorFailure(.badRequest, message) }

    /// A member that is missing, empty or of another type.
    static func invalid(_ message: String) -> ClaudiatorFailure { ClaudiatorFailure(.unprocessableContent, message) }

    static let forbidden = ClaudiatorFailure(.forbidden, "Insufficient permissions for this endpoint")

    static func tooMany(_ message: String) -> ClaudiatorFailure {
        ClaudiatorFailure(.tooManyRequests, message, delay: 60)
    }

    /// The database's words stay in the log: whoever reports need not know where it lies.
    init(_ failure: ReportFailure) {
        switch failure {
        case .forbidden: self = .forbidden
        case .ofAnother(let member):
            self.init(.forbidden, "\(member) is that of a device or session that somebody else reports")
        case .tooLong(let member, let limit): self = .invalid("\(member) has at most \(limit) bytes")
        case .tooManyMachines(let limit): self = .invalid("a token reports for at most \(limit) devices")
        case .store: self = ClaudiatorFailure(.internalServerError, "Internal server error")
        }
    }

    var response: HTTPResponse {
        var response = HTTPResponse.json(status, Self.json(status, message))
        if let delay { response.headers.append("Retry-After", "\(delay)") }
        return response
    }

    private static func json(_ status: HTTPStatus, _ message: String) -> JSON {
        ["error": .string(code(of: status)), "message": .string(message)]
    }

    private static func code(of status: HTTPStatus) -> String {
        switch status.code {
        case 401: "unauthorized"
        case 403: "forbidden"
        case 404: "not_found"
        case 429: "rate_limited"
        case 500...: "internal_error"
        default: "bad_request"
        }
    }

    /// A refusal of the router or the authenticator, which is `{"error":"…"}`, in this form.
    static func spelled(_ response: HTTPResponse) -> HTTPResponse {
        guard let message = (try? JSON(parsing: response.body))?["error"]?.stringValue else { return response }
        var spelled = response
        let text = response.status == .unauthorized ? "Invalid or missing API key" : message
        spelled.body = json(response.status, text).serializedBytes()
        return spelled
    }

    /// The same for keys, which are made at this machine alone: what the router says of its own ways to let devices in
    /// would mislead.
    static func spelledOfKeys(_ response: HTTPResponse) -> HTTPResponse {
        guard response.status == .forbidden else { return spelled(response) }
        var spelled = response
        spelled.body = json(response.status, forbidden.message).serializedBytes()
        return spelled
    }

    /// Asks the service, and throws its failure as a client gets it.
    static func answering<Value>(
        _ body: () async throws(ReportFailure) -> Value
    ) async throws(ClaudiatorFailure) -> Value {
        do throws(ReportFailure) { return try await body() } catch { throw ClaudiatorFailure(error) }
    }
}
