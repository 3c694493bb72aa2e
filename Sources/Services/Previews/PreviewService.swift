package import Core

/// Makes previews of open requests.
package protocol PreviewService: Sendable {
    func preview(requestID: String) async -> PreviewOutcome
}

package enum PreviewOutcome: Sendable, Hashable {
    /// The tool changes no file and is no plan, or its input is not what that tool takes.
    case nothing(tool: String)
    case preview(Preview)
    /// No open request has this id.
    case unknown
}
