package import OrderedJSON

/// Decides what a session rule may match. A request is settled only if every part of it is understood and matches;
/// otherwise a person is asked.
package enum RuleEngine {
    /// The tools whose input holds a line for the shell. What is denied in one is denied in each; only `Bash` is allowed
    /// by rules.
    static let shells: Set = ["Bash", "Monitor", powerShell]
    /// The one of these whose lines are PowerShell's.
    static let powerShell = "PowerShell"

    /// The patterns of a session rule for this request; empty if no session rule is offered.
    package static func patterns(
        tool: String, input: JSON, context: RuleContext, paths: any PathPort
    ) -> [Pattern] {
        offered(tool: tool, input: input, root: SessionRoot(context, paths)).patterns
    }

    /// The same as `patterns`, those of a deny rule as far as they follow from them, and whether a size limit was reached.
    static func offered(
        tool: String, input: JSON, root: SessionRoot
    ) -> (patterns: [Pattern], denied: [Pattern], isTooLarge: Bool) {
        switch tool {
        case "Bash":
            guard let rules = BashRules(input: input, root: root) else { return ([], [], BashRules.isTooLong(input)) }
            return (rules.patterns, rules.deniedPatterns, rules.isTooLarge)
        case "WebFetch":
            let patterns = FetchRules.pattern(input: input).map { [$0] } ?? []
            return (patterns, patterns, false)
        case _ where FileTools.all.contains(tool):
            let patterns = FileRules(tool: tool, input: input, root: root)?.offered.map { [$0] } ?? []
            return (patterns, patterns, root.disk.isOverLimit || FileTools.isTooLong(input))
        default:
            let patterns = ToolNames.pattern(tool: tool).map { [$0] } ?? []
            return (patterns, patterns, false)
        }
    }

    /// The patterns that "for session" would store for an allow and for a deny.
    package static func offers(tool: String, input: JSON, context: RuleContext, paths: any PathPort) -> RuleOffers {
        let (allow, denied, isTooLarge) = offered(tool: tool, input: input, root: SessionRoot(context, paths))
        let deny = denyPatterns(tool: tool, input: input, beside: denied, context: context, paths: paths)
        return RuleOffers(allow: allow.map(\.stored), deny: deny.map(\.stored), isTooLarge: isTooLarge)
    }

    /// The allow rules that together settle the request; nil if a person has to be asked.
    package static func settles(
        tool: String, input: JSON, allow: Set<Pattern>, context: RuleContext, paths: any PathPort
    ) -> [Pattern]? {
        guard !allow.isEmpty else { return nil }
        let root = SessionRoot(context, paths)
        switch tool {
        case "Bash": return BashRules(input: input, root: root)?.settled(by: allow)
        case _ where FileTools.all.contains(tool):
            return FileRules(tool: tool, input: input, root: root)?.settled(by: allow).map { [$0] }
        default:
            let needed = patterns(tool: tool, input: input, context: context, paths: paths)
            return needed.first(where: allow.contains).map { [$0] }
        }
    }

    /// The deny rule that forbids the request; nil if none does. Deny rules are no security boundary: a script
    /// hides a command.
    package static func denies(
        tool: String, input: JSON, deny: [Pattern], context: RuleContext, paths: any PathPort
    ) -> Pattern? {
        let deny = deny.filter { $0.concerns(tool: tool) }
        guard !deny.isEmpty else { return nil }
        let root = SessionRoot(context, paths)
        switch tool {
        case _ where shells.contains(tool):
            guard let rules = DenyRules(tool: tool, input: input, root: root, budget: DiskLookups(paths)) else {
                return nil
            }
            return deny.first(where: rules.isForbidden)
        case _ where FileTools.all.contains(tool):
            let file = DeniedFile(tool: tool, input: input, root: root)
            let search = DeniedSearch(tool: tool, input: input, root: root)
            return deny.first { file?.isForbidden(by: $0) == true || search?.isForbidden(by: $0) == true }
        case "WebFetch":
            let hosts = FetchRules.deniedHosts(input: input)
            let mayBeAny = FetchRules.mayBeAnyHost(input: input)
            let isForeign = FetchRules.hasForeignLetters(input: input)
            return deny.first { rule in
                hosts.contains(rule)
                    || rule.kind == .domain
                        && (mayBeAny || isForeign && rule.subject.hasPunycode
                            || hosts.contains { $0.isSameHost(as: rule) })
            }
        default:
            let needed = patterns(tool: tool, input: input, context: context, paths: paths)
            return deny.first { rule in
                needed.contains { $0 == rule || rule.kind == .tool && ToolNames.areOne($0.tool, rule.tool) }
            }
        }
    }

    /// The deny rule that may cover the request though it does not forbid it: a person has to be asked. A search may come to
    /// the files that the rule names, or a word of a line may be an option's value.
    package static func mayDeny(
        tool: String, input: JSON, deny: [Pattern], context: RuleContext, paths: any PathPort
    ) -> Pattern? {
        let deny = deny.filter { $0.concerns(tool: tool) }
        guard !deny.isEmpty else { return nil }
        let root = SessionRoot(context, paths)
        if shells.contains(tool) {
            let rules = DenyRules(tool: tool, input: input, root: root, budget: DiskLookups(paths))
            return rules.flatMap { rules in deny.first { rules.mayForbid($0) } }
        }
        let search = DeniedSearch(tool: tool, input: input, root: root)
        return search.flatMap { search in deny.first { search.mayReach($0) } }
    }

    /// The patterns that a deny for the session would store. Where an allow gets none, a deny may still get one,
    /// because it grants nothing.
    package static func denyPatterns(
        tool: String, input: JSON, context: RuleContext, paths: any PathPort
    ) -> [Pattern] {
        let denied = offered(tool: tool, input: input, root: SessionRoot(context, paths)).denied
        return denyPatterns(tool: tool, input: input, beside: denied, context: context, paths: paths)
    }

    private static func denyPatterns(
        tool: String, input: JSON, beside denied: [Pattern], context: RuleContext, paths: any PathPort
    ) -> [Pattern] {
        guard denied.isEmpty else { return denied }
        let root = SessionRoot(context, paths)
        switch tool {
        case _ where shells.contains(tool):
            guard let rules = DenyRules(tool: tool, input: input, root: root, budget: root.disk), rules.seesCommand
            else {
                return []
            }
            return [rules.exact(in: context.cwd)]
        case _ where FileTools.all.contains(tool):
            return (DeniedFile(tool: tool, input: input, root: root)?.pattern).map { [$0] } ?? []
        case "WebFetch": return FetchRules.deniedHosts(input: input).first.map { [$0] } ?? []
        default: return []
        }
    }

    /// True if a Bash line is understood and consists of commands that only read, wherever its paths lead.
    package static func onlyReads(line: String, context: RuleContext, paths: any PathPort) -> Bool {
        BashRules(line: line, root: SessionRoot(context, paths, isAnywhere: true))?.onlyReads ?? false
    }

    /// The same for a call's input. False for an input with unknown members.
    package static func onlyReads(input: JSON, context: RuleContext, paths: any PathPort) -> Bool {
        BashRules(input: input, root: SessionRoot(context, paths, isAnywhere: true))?.onlyReads ?? false
    }

    /// True if the tool changes one file, and that file lies under the root after links.
    package static func editsUnderRoot(
        tool: String, input: JSON, context: RuleContext, paths: any PathPort
    ) -> Bool {
        editsOutsideRoot(tool: tool, input: input, context: context, paths: paths) == false
    }

    /// True if the tool changes one file, and that file does not lie under the root after links; `nil` where the file or
    /// the root cannot be told.
    package static func editsOutsideRoot(
        tool: String, input: JSON, context: RuleContext, paths: any PathPort
    ) -> Bool? {
        guard FileTools.writing.contains(tool),
            let path = FileTools.path(tool: tool, input: input, context: context)
        else { return nil }
        let root = SessionRoot(context, paths)
        let resolved = root.resolve(path)
        guard root.resolved.isCertain, resolved.isCertain else { return nil }
        return !root.contains(resolved)
    }
}
