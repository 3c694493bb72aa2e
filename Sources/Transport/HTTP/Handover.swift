import Wire

/// Hands a request to the task that answers it. A task retains what its closure captures for as long as it runs, so a
/// held call would retain its request's body for minutes.
final class Handover: @unchecked Sendable {  // guard: used on its loop's thread only
    private var request: HTTPRequest?

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Returns the request. May be called once.
    func take() -> HTTPRequest {
        guard let request = request.take() else { preconditionFailure("a request is handed over once") }
        return request
    }
}
