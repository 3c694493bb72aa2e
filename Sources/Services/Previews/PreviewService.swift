package import Core

/// Looks at the disk for people who look at a card.
package protocol PreviewService: Sendable {
    func preview(requestID: String) async -> PreviewOutcome
}

package enum PreviewOutcome: Sendable, Hashable {
    /// The tool changes no file and is no plan, or its input is not what that tool takes.
    case nothing(tool: String)
    case preview(Preview)
    /// No open question has this id.
    case unknown
}
