package import Core
package import OrderedJSON

/// What a call would change, compared with the file on the disk.
package enum FilePreview {
    /// Bytes of text in a difference.
    private static let shown = 2 << 20

    /// Waits for the disk. `nil` where the tool changes no file and is no plan.
    /// - Parameter input: The request's, parsed: a large one is parsed again each time it is asked for.
    package static func make(
        of request: PermissionRequest, input: JSON, at place: RulePlace, judge: any RuleJudge,
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
            let call = ToolCall(tool: tool, input: input, useID: nil)
            let path = try judge.previewPath(for: call, at: place).get()
            let (old, new) = try change.applied(to: try files.contents(of: path))
            return .diff(path: change.path, LineDiff(from: old, to: new, limit: shown))
        } catch {
            return .text(path: change.path, text: change.newText, error)
        }
    }
}

/// The disk, as previews need it.
package protocol FileReader: Sendable {
    /// The bytes of the file; `nil` where there is none. The path must be resolved: a file that a link leads to is
    /// refused, as is what is no regular file.
    func contents(of path: String) throws(PreviewRefusal) -> [UInt8]?
}
