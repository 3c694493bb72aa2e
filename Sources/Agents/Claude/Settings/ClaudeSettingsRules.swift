import Core
package import OrderedJSON
import Platform

/// Reads the permission rules of Claude's settings files: the user's, the project's and the project's local one. A file
/// is read again when it changes. A file that cannot be read or parsed counts as one without rules, so that more calls
/// are asked.
package final class ClaudeSettingsRules: ClaudeRules {
    private let cache = Locked<[String: (stamp: FileStamp, rules: ClaudePermissions)]>([:])
    private let userSettings: String
    private let answersPromptly: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - userSettings: The path of the user's own settings file.
    ///   - answersPromptly: Returns true if no part of a path lies on a file system that may hang.
    package init(userSettings: String, answersPromptly: @escaping @Sendable (String) -> Bool) {
        self.userSettings = userSettings
        self.answersPromptly = answersPromptly
    }

    /// The most rules, and bytes of the line times rules that ask or deny, that are compared on the loop: well below a
    /// millisecond.
    private static let mostAtOnce = (rules: 1000, bytes: 1 << 18)

    package func allows(tool: String, input: JSON, root: String) -> Bool {
        Self.allows(Self.call(tool, input), files(root).map(permissions))
    }

    package func allowsPromptly(tool: String, input: JSON, root: String) -> Bool? {
        var rules: [ClaudePermissions] = []
        for path in files(root) {
            guard answersPromptly(path), let known = knownPermissions(path) else { return nil }
            rules.append(known)
        }
        let call = Self.call(tool, input)
        let (allowing, others) = (rules.map(\.allow.count).reduce(0, +), rules.map(\.askOrDeny.count).reduce(0, +))
        guard allowing + others <= Self.mostAtOnce.rules,
            others * (call.line?.utf8.count ?? 0) <= Self.mostAtOnce.bytes
        else { return nil }
        return Self.allows(call, rules)
    }

    private func files(_ root: String) -> [String] {
        [userSettings] + (root.isEmpty ? [] : [root + "/.claude/settings.json", root + "/.claude/settings.local.json"])
    }

    private static func call(_ tool: String, _ input: JSON) -> RuledCall {
        RuledCall(tool: tool, line: tool == "Bash" ? input["command"]?.stringValue : nil)
    }

    private static func allows(_ call: RuledCall, _ rules: [ClaudePermissions]) -> Bool {
        guard rules.contains(where: { $0.allow.contains { $0.surelyCovers(call) } }) else { return false }
        return !rules.contains { $0.askOrDeny.contains { $0.mayCover(call) } }
    }

    /// The cached rules of the file, if it has not changed since; `nil` if it must be read.
    private func knownPermissions(_ path: String) -> ClaudePermissions? {
        guard let stamp = FileStamp(path: path) else { return ClaudePermissions() }
        return cache.withLock { $0[path].flatMap { $0.stamp == stamp ? $0.rules : nil } }
    }

    /// Reads outside the lock, for which the loop would wait.
    private func permissions(of path: String) -> ClaudePermissions {
        guard let stamp = FileStamp(path: path) else { return ClaudePermissions() }
        if let known = cache.withLock({ $0[path] }), known.stamp == stamp { return known.rules }
        let rules = ClaudePermissions(path: path)
        cache.withLock { cache in
            if cache.count > 256 { cache.removeAll() }
            cache[path] = (stamp, rules)
        }
        return rules
    }
}

/// The `permissions` of one settings file.
struct ClaudePermissions {
    var allow: [ClaudeRuleText] = []
    var askOrDeny: [ClaudeRuleText] = []

    init() {}

    init(path: String) {
        guard let bytes = FileBytes.read(path, limit: 4 << 20), let settings = try? JSON(parsing: bytes) else { return }
        let permissions = settings["permissions"]
        // A letter with thousands of marks takes seconds to be compared.
        allow = Self.texts(permissions?["allow"]).filter { !$0.hasManyMarks }.map(ClaudeRuleText.init)
        askOrDeny = ["ask", "deny"].flatMap { Self.texts(permissions?[$0]) }.map { ClaudeRuleText($0.cuttingMarks()) }
    }

    private static func texts(_ list: JSON?) -> [String] { (list?.arrayValue ?? []).compactMap(\.stringValue) }
}
