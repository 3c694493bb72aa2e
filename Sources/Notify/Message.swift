package import Core

/// A notice with its text and links, from which each channel makes its request.
package struct Message: Sendable, Hashable {
    package let notice: Notice
    package let text: NoticeText
    /// The daemon's public URL as a browser reaches it, without a final `/`.
    package let base: String
    /// Secrets of answer links, by the decision they give.
    package let secrets: [Decision: String]

    package init(notice: Notice, includesDetails: Bool, base: String, secrets: [Decision: String] = [:]) {
        self.notice = notice
        text = NoticeText(notice, includesDetails: includesDetails)
        self.base = base
        self.secrets = secrets
    }

    /// The URL that opens the card, or the page if the notice has no request.
    package var cardURL: String {
        notice.request?.url(on: base) ?? "\(base)/"
    }

    /// The URL that people open to give an answer. The secret is in the fragment, which browsers send to no server.
    package func linkURL(_ verb: Decision) -> String? {
        secrets[verb].map { "\(base)/a#\($0)" }
    }
}

extension ExchangeResult {
    /// The outcome of the notice according to the response.
    /// - Parameter goneMeansNobody: True if 404 and 410 mean that the subscription no longer exists.
    func outcome(goneMeansNobody: Bool) -> NoticeOutcome {
        switch self {
        case .failed(let reason): return .failed(reason, isFinal: false)
        case .answered(let status, _, let retryAfter):
            switch status {
            case 200..<300: return .delivered
            case 404 where goneMeansNobody, 410 where goneMeansNobody: return .gone
            case 300..<400: return .failed("it answered \(status), a redirect, which is not followed", isFinal: true)
            case 408, 429, 500...: return .failed("it answered \(status)", isFinal: false, retryAfter: retryAfter)
            default: return .failed("it answered \(status)", isFinal: true)
            }
        }
    }
}
