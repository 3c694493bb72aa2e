package import Rules

/// Where a call happens, as far as rules care.
package struct RulePlace: Sendable, Hashable {
    /// The session's root.
    package let root: String
    package let cwd: String
    /// The user's shell as `SHELL` names it, where the relay told it.
    package let shell: String?

    package init(root: String, cwd: String, shell: String? = nil) {
        self.root = root
        self.cwd = cwd
        self.shell = shell
    }
}

/// The rules engine, as the broker asks it. It may look at the disk, never at a clock.
package protocol RuleJudge: Sendable {
    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers
    /// The allow rules that settle the call together, the most telling first; empty where a person must be asked.
    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule]
    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule?
    /// A Bash line that is understood and whose every command only reads.
    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool
    /// A tool that changes one file, and that file lies under the root once links are resolved.
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool
    /// The same judge for a thread that others wait for. Ask it about one call.
    func hurried() -> HurriedJudge
    /// Where the file that a call changes lies, if it may be read to show the change.
    func previewPath(for call: ToolCall, at place: RulePlace) -> Result<String, PreviewRefusal>
}

/// A judge that asks the disk only a little, and no disk that may hang.
package struct HurriedJudge {
    package let judge: any RuleJudge
    /// False once it would have had to ask more: then nothing it said counts, and the judge itself has to be asked where
    /// nobody waits.
    package let isSure: () -> Bool

    package init(judge: any RuleJudge, isSure: @escaping () -> Bool) {
        self.judge = judge
        self.isSure = isSure
    }
}

extension RuleJudge {
    /// Who asks no disk is always in time.
    package func hurried() -> HurriedJudge { HurriedJudge(judge: self, isSure: { true }) }

    /// Who knows of no sensitive names lets nothing be read.
    package func previewPath(for call: ToolCall, at place: RulePlace) -> Result<String, PreviewRefusal> {
        .failure(.unknownRoot)
    }
}
