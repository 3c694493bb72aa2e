package import Rules

/// The places that rules need to evaluate a call.
package struct RulePlace: Sendable, Hashable {
    /// The session's root.
    package let root: String
    package let cwd: String
    /// The user's shell as `SHELL` names it, if the relay sent it.
    package let shell: String?

    package init(root: String, cwd: String, shell: String? = nil) {
        self.root = root
        self.cwd = cwd
        self.shell = shell
    }
}

/// The rules engine, for the broker. It may access the disk, never a clock.
package protocol RuleEvaluator: Sendable {
    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers
    /// The allow rules that settle the call together, the most significant first; empty if a person must be asked.
    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule]
    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule?
    /// A deny rule that may cover the call without forbidding it, such as a search that may come to a denied file: a person
    /// has to be asked.
    func mayDeny(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule?
    /// True for a Bash line that is fully understood and whose every command only reads.
    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool
    /// True for a tool that changes one file, if that file lies under the root once links are resolved.
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool
    /// True for a tool that changes one file, if that file lies outside the root once links are resolved; `nil` where
    /// nobody can tell.
    func editsOutsideRoot(_ call: ToolCall, at place: RulePlace) -> Bool?
    /// The same evaluator for a thread that must not wait for a disk. To be used for one call.
    func hurried() -> HurriedEvaluator
    /// The path of the file that a call changes, if the file may be read to show the change.
    func previewPath(for call: ToolCall, at place: RulePlace) -> Result<String, PreviewRefusal>
}

/// An evaluator that makes few disk accesses, and none to a disk that may hang.
package struct HurriedEvaluator {
    package let evaluator: any RuleEvaluator
    /// False once it needed a further access: then none of its results counts, and the evaluator itself has to be asked
    /// on another thread.
    package let isSure: () -> Bool

    package init(evaluator: any RuleEvaluator, isSure: @escaping () -> Bool) {
        self.evaluator = evaluator
        self.isSure = isSure
    }
}

extension RuleEvaluator {
    /// For evaluators that access no disk.
    package func hurried() -> HurriedEvaluator { HurriedEvaluator(evaluator: self, isSure: { true }) }

    /// For evaluators that can always tell what a deny rule covers.
    package func mayDeny(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? { nil }

    /// For evaluators that can always tell where a file is.
    package func editsOutsideRoot(_ call: ToolCall, at place: RulePlace) -> Bool? { !editsUnderRoot(call, at: place) }

    /// For evaluators that know no sensitive names: no file is shown.
    package func previewPath(for call: ToolCall, at place: RulePlace) -> Result<String, PreviewRefusal> {
        .failure(.unknownRoot)
    }
}
