import Wire

/// A request on its way into its task. A task keeps what its closure captures for as long as it runs, and a held call
/// would keep its body for minutes.
final class Handover: @unchecked Sendable {  // guard: used on its loop's thread only
    private var request: HTTPRequest?

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Once.
    func take() -> HTTPRequest {
        guard let request = request.take() else { preconditionFailure("a request is handed over once") }
        return request
    }
}
