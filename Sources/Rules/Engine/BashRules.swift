import OrderedJSON

/// Matches one Bash line against session rules.
struct BashRules {
    let line: String
    let root: SessionRoot
    let parts: [LinePart]

    /// Nil for an input with unknown members, and for a line that is not understood.
    init?(input: JSON, root: SessionRoot) {
        guard let line = Self.line(of: input) else { return nil }
        self.init(line: line, root: root)
    }

    init?(line: String, root: SessionRoot) {
        guard let commands = try? ShellSplitter.split(line, isMacBash: root.context.shellIsMacBash) else {
            return nil
        }
        self.line = line
        self.root = root
        parts = LineReader.parts(of: commands, on: root)
    }

    private static let members = ["command", "description", "run_in_background", "timeout"]

    /// The command of a call's input; nil where the input has unknown members.
    static func line(of input: JSON) -> String? {
        guard let object = input.objectValue, object.allSatisfy({ isMember($0.key) }) else { return nil }
        return object["command"]?.stringValue
    }

    /// True if the line is longer than the splitter accepts.
    static func isTooLong(_ input: JSON) -> Bool {
        (input["command"]?.stringValue?.utf8.count ?? 0) > ShellSplitter.limit
    }

    /// True if a command has no key because a size limit was reached.
    var isTooLarge: Bool {
        root.disk.isOverLimit
            || parts.contains { if case .exact(let refusal) = $0.verdict { refusal.isOfSize } else { false } }
    }

    private static func isMember(_ key: String) -> Bool {
        members.contains { PathText.same($0, key) }
    }

    /// The rule for exactly this line in this directory.
    var exact: Pattern {
        Pattern(.line, tool: "Bash", subject: line, directory: root.context.cwd)
    }

    /// The patterns of a rule for this line: the keys of its commands, or the exact line.
    var patterns: [Pattern] {
        needed.map { ($0.all + $0.any).map(\.pattern) } ?? [exact]
    }

    /// The patterns of a deny rule for this line: those of an allow rule, but for every remote, since a deny may cover more.
    var deniedPatterns: [Pattern] {
        guard let needed else { return [exact] }
        let denied = parts.compactMap { part -> (Pattern, Pattern)? in
            guard case .keyed(let key) = part.verdict, let denied = key.deniedPattern else { return nil }
            return (key.pattern, denied)
        }
        var patterns: [Pattern] = []
        for need in needed.all + needed.any {
            let pattern = denied.first { $0.0 == need.pattern }?.1 ?? need.pattern
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        return patterns
    }

    /// The rules that have to exist to settle the line: all of `all`, or if that is empty any one of `any`. Each is
    /// listed once.
    ///
    /// Nil where a command has no key, and where no command has a key.
    private var needed: (all: [Need], any: [Need])? {
        guard root.hasWiderRules else { return nil }
        var all = NeedList()
        var any = NeedList()
        for part in parts {
            switch part.verdict {
            case .keyed(let key):
                all.add(Need(key.text, of: key))
                for text in key.others { all.add(Need(text, of: key)) }
            case .free(let key): if let key { any.add(Need(key.text, of: key)) }
            case .exact: return nil
            }
        }
        // Once the limit is reached, the disk's answers are not reliable.
        guard !root.disk.isSpent else { return nil }
        guard all.list.isEmpty else { return (all.list, []) }
        return any.list.isEmpty ? nil : ([], any.list)
    }

    /// A rule that has to exist, or instead one of the rules `wider`, which also cover the call.
    private struct Need {
        let pattern: Pattern
        let wider: [Pattern]

        init(_ text: CommandKey.Text, of key: CommandKey) {
            pattern = key.pattern(text.own)
            wider = text.wider.map(key.pattern)
        }

        func met(by allow: Set<Pattern>) -> Pattern? {
            allow.contains(pattern) ? pattern : wider.first(where: allow.contains)
        }
    }

    /// An ordered list without duplicates.
    private struct NeedList {
        private(set) var list: [Need] = []
        private var known: Set<Pattern> = []

        mutating func add(_ need: Need) {
            let pattern = need.pattern
            // Most lines have one entry, so the set is filled only from the second entry on.
            guard list.last?.pattern != pattern, list.isEmpty || known.insert(pattern).inserted else { return }
            if list.count == 1 { known.insert(list[0].pattern) }
            list.append(need)
        }
    }

    /// The rules of `allow` that together settle the line; nil where they do not.
    func settled(by allow: Set<Pattern>) -> [Pattern]? {
        let exact = exact
        if allow.contains(exact) { return [exact] }
        guard let needed else { return nil }
        guard needed.all.isEmpty else {
            let met = needed.all.compactMap { $0.met(by: allow) }
            return met.count == needed.all.count ? met : nil
        }
        return needed.any.lazy.compactMap { $0.met(by: allow) }.first.map { [$0] }
    }

    /// True if every command either needs no rule or matches a row that only reads. Meant for a `SessionRoot` with
    /// `isAnywhere`.
    var onlyReads: Bool {
        !root.disk.isSpent
            && parts.allSatisfy { part in
                switch part.verdict {
                case .free: true
                // A key that holds in one directory only is not enough: a file there may decide which program starts.
                case .keyed(let key): key.row.reads && key.directory == nil
                case .exact: false
                }
            }
    }
}
