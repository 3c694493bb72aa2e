package import Core
package import OrderedJSON

/// Makes previews: the difference between a file and its content after a call, or a plan.
package enum FilePreview {
    /// The most bytes of text in a difference.
    private static let shown = 2 << 20

    /// Reads the file, so it may wait for the disk. `nil` if the tool changes no file and is no plan.
    /// - Parameters:
    ///   - input: The request's input; passed in because the request parses a large input at each access.
    ///   - place: `nil` if a device told the place, which then lies in no workspace.
    package static func make(
        of request: PermissionRequest, input: JSON, at place: RulePlace?, evaluator: any RuleEvaluator,
        files: any FileReader
    ) -> Preview? {
        let tool = request.tool
        if tool.kind == .plan {
            guard let plan = tool.string(.plan, in: input), !plan.isEmpty else {
                return .text(path: "", text: "", .emptyPlan)
            }
            return .plan(plan)
        }
        guard let change = FileChange(tool: tool, input: input) else { return nil }
        do throws(PreviewRefusal) {
            if request.isUnverified { throw .unverified }
            guard let place else { throw .elsewhere }
            let call = ToolCall(tool: tool, input: input, useID: nil)
            let path = try evaluator.previewPath(for: call, at: place).get()
            let (old, new) = try change.applied(to: try files.contents(of: path))
            return .diff(path: change.path, LineDiff(from: old, to: new, limit: shown))
        } catch {
            return .text(path: change.path, text: change.newText, error)
        }
    }
}

/// Reads files for previews.
package protocol FileReader: Sendable {
    /// The bytes of the file; `nil` if there is none. The path must be resolved: symbolic links and anything but
    /// regular files are refused.
    func contents(of path: String) throws(PreviewRefusal) -> [UInt8]?
}
