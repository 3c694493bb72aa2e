package import Core

/// A notice with all that a channel may have to say about it.
package struct Message: Sendable, Hashable {
    package let notice: Notice
    package let text: NoticeText
    /// Of this daemon as a browser reaches it, without a last `/`.
    package let base: String
    /// Secrets of answer links, by what they answer.
    package let secrets: [Decision: String]

    package init(notice: Notice, includesDetails: Bool, base: String, secrets: [Decision: String] = [:]) {
        self.notice = notice
        text = NoticeText(notice, includesDetails: includesDetails)
        self.base = base
        self.secrets = secrets
    }

    /// Opens the card, or the page where there is none.
    package var cardURL: String {
        notice.request.map { "\(base)/#request=\($0.id)" } ?? "\(base)/"
    }

    /// What people open to give an answer; the secret is in the fragment, which no server is sent.
    package func linkURL(_ verb: Decision) -> String? {
        secrets[verb].map { "\(base)/a#\($0)" }
    }
}

extension Receipt {
    /// What the answer to a message means.
    /// - Parameter goneMeansNobody: 404 and 410 say that there will never be anybody again.
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
