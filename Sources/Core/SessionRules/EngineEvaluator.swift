package import Rules

/// Evaluates calls with the rule engine.
package struct EngineEvaluator: RuleEvaluator {
    private let paths: any PathPort
    private let commands: CommandTable
    private let home: String
    private let agentDirectory: String?
    private let ownGitFiles: [String]
    private let isMac: Bool

    /// - Parameters:
    ///   - home: the user's home directory, absolute.
    ///   - agentDirectory: what `CLAUDE_CONFIG_DIR` names; `nil` where it is not set.
    ///   - ownGitFiles: what `GitVariables` finds.
    ///   - isMac: macOS's bash is 3.2, which reads here documents differently.
    package init(
        paths: any PathPort, commands: CommandTable, home: String, agentDirectory: String? = nil,
        ownGitFiles: [String] = [], isMac: Bool = false
    ) {
        self.paths = paths
        self.commands = commands
        self.home = home
        self.agentDirectory = agentDirectory
        self.ownGitFiles = ownGitFiles
        self.isMac = isMac
    }

    package func hurried() -> HurriedEvaluator {
        let (paths, isSure) = paths.hurried()
        let evaluator = EngineEvaluator(
            paths: paths, commands: commands, home: home, agentDirectory: agentDirectory, ownGitFiles: ownGitFiles,
            isMac: isMac)
        return HurriedEvaluator(evaluator: evaluator, isSure: isSure)
    }

    package func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers {
        guard let context = context(place) else { return RuleOffers(isTooLarge: isTooLong(place)) }
        return RuleEngine.offers(tool: call.name, input: call.input, context: context, paths: paths)
    }

    package func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] {
        guard let context = context(place) else { return [] }
        let used = RuleEngine.settles(
            tool: call.name, input: call.input, allow: rules.patterns, context: context, paths: paths)
        return (used ?? []).compactMap { rules[$0] }
    }

    package func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        guard let context = deniedContext(place) else { return nil }
        let found = RuleEngine.denies(
            tool: call.name, input: call.input, deny: rules.all.compactMap(\.parsed), context: context, paths: paths)
        return found.flatMap { rules[$0] }
    }

    package func mayDeny(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        guard let context = deniedContext(place) else { return nil }
        let found = RuleEngine.mayDeny(
            tool: call.name, input: call.input, deny: rules.all.compactMap(\.parsed), context: context, paths: paths)
        return found.flatMap { rules[$0] }
    }

    /// A deny rule applies wherever the command runs, so it is checked even where the place is unknown.
    private func deniedContext(_ place: RulePlace) -> RuleContext? {
        context(place) ?? context(RulePlace(root: "/", cwd: "/", shell: place.shell))
    }

    package func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool {
        guard call.kind == .shellCommand, let context = context(place) else { return false }
        return RuleEngine.onlyReads(input: call.input, context: context, paths: paths)
    }

    package func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool {
        guard let context = context(place) else { return false }
        return RuleEngine.editsUnderRoot(tool: call.name, input: call.input, context: context, paths: paths)
    }

    package func editsOutsideRoot(_ call: ToolCall, at place: RulePlace) -> Bool? {
        guard let context = context(place) else { return nil }
        return RuleEngine.editsOutsideRoot(tool: call.name, input: call.input, context: context, paths: paths)
    }

    package func previewPath(for call: ToolCall, at place: RulePlace) -> Result<String, PreviewRefusal> {
        guard let context = context(place) else { return .failure(.unknownRoot) }
        return RuleEngine.previewPath(tool: call.name, input: call.input, context: context, paths: paths)
            .mapError(PreviewRefusal.init)
    }

    private func isTooLong(_ place: RulePlace) -> Bool {
        max(place.root.utf8.count, place.cwd.utf8.count) >= RuleContext.longestPath
    }

    /// `nil` where the root or the directory is unknown or too long; no allow rule then settles the call.
    private func context(_ place: RulePlace) -> RuleContext? {
        guard PathText.isAbsolute(place.root), PathText.isAbsolute(place.cwd),
            !isTooLong(place)
        else { return nil }
        return RuleContext(
            root: place.root, cwd: place.cwd, home: home, agentDirectory: agentDirectory, ownGitFiles: ownGitFiles,
            // The shell of a request from before a restart is unknown, and may be macOS's bash, which needs more care.
            shellIsMacBash: isMac && place.shell?.hasSuffix("bash") != false, commands: commands)
    }
}

extension PreviewRefusal {
    fileprivate init(_ refusal: PathRefusal) {
        self =
            switch refusal {
            case .anotherHome: .anotherHome
            case .notUnderstood: .notUnderstood
            case .outside: .outside
            case .sensitive: .sensitive
            case .uncertain: .uncertain
            }
    }
}
