import OrderedJSON

/// Rules for Bash lines.
struct BashRules {
    let line: String
    let ground: Ground
    let parts: [LinePart]

    /// Nil for a line that stops.
    init?(input: JSON, ground: Ground) {
        guard let line = Self.line(of: input) else { return nil }
        self.init(line: line, ground: ground)
    }

    init?(line: String, ground: Ground) {
        guard let commands = try? ShellSplitter.split(line, isMacBash: ground.context.shellIsMacBash) else {
            return nil
        }
        self.line = line
        self.ground = ground
        parts = LineReader.parts(of: commands, on: ground)
    }

    private static let members = ["command", "description", "run_in_background", "timeout"]

    /// The command of a call that holds nothing else of weight.
    static func line(of input: JSON) -> String? {
        guard let object = input.objectValue, object.allSatisfy({ isMember($0.key) }) else { return nil }
        return object["command"]?.stringValue
    }

    /// The line is longer than any that is looked at.
    static func isTooLong(_ input: JSON) -> Bool {
        (input["command"]?.stringValue?.utf8.count ?? 0) > ShellSplitter.limit
    }

    /// A limit of what is looked at is why a command has no key.
    var isTooLarge: Bool {
        ground.disk.isOverLimit
            || parts.contains { if case .exact(let refusal) = $0.verdict { refusal.isOfSize } else { false } }
    }

    private static func isMember(_ key: String) -> Bool {
        members.contains { PathText.same($0, key) }
    }

    /// The rule for the whole line, byte for byte, in this directory.
    var exact: Pattern {
        Pattern(.line, tool: "Bash", subject: line, directory: ground.context.cwd)
    }

    /// What a rule would remember: the keys, or the line itself.
    var patterns: [Pattern] {
        needed.map { ($0.all + $0.any).map(\.pattern) } ?? [exact]
    }

    /// Rules that have to exist: all of the first, or where there is none of these, any of the second. Each is there once.
    ///
    /// Nil where a command has no key, and where none at all has one.
    private var needed: (all: [Need], any: [Need])? {
        guard !ground.rootIsBroad else { return nil }
        var all = NeedList()
        var any = NeedList()
        for part in parts {
            switch part.verdict {
            case .keyed(let key):
                all.add(Need(key))
                for pattern in key.otherPatterns { all.add(Need(pattern)) }
            case .free(let key): if let key { any.add(Need(key)) }
            case .exact: return nil
            }
        }
        // What was told once too much was asked is of no worth.
        guard !ground.disk.isSpent else { return nil }
        guard all.list.isEmpty else { return (all.list, []) }
        return any.list.isEmpty ? nil : ([], any.list)
    }

    /// A rule that has to exist, or the fuller one that covers it.
    private struct Need {
        let pattern: Pattern
        let full: Pattern?

        init(_ key: CommandKey) {
            pattern = key.pattern
            full = key.fullPattern
        }

        init(_ pattern: Pattern) {
            self.pattern = pattern
            full = nil
        }

        func met(by allow: Set<Pattern>) -> Pattern? {
            if allow.contains(pattern) { return pattern }
            return full.flatMap { allow.contains($0) ? $0 : nil }
        }
    }

    /// Needs in their order, each once.
    private struct NeedList {
        private(set) var list: [Need] = []
        private var known: Set<Pattern> = []

        mutating func add(_ need: Need) {
            let pattern = need.pattern
            // Most lines have one.
            guard list.last?.pattern != pattern, list.isEmpty || known.insert(pattern).inserted else { return }
            if list.count == 1 { known.insert(list[0].pattern) }
            list.append(need)
        }
    }

    /// The rules among these that settle the line together.
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

    /// Every word of every command is settled by a row that only reads, or needs no rule. To be asked of a ground where
    /// paths may lead anywhere.
    var onlyReads: Bool {
        !ground.disk.isSpent
            && parts.allSatisfy { part in
                switch part.verdict {
                case .free: true
                // Where it holds in one directory only, a file there may say what starts.
                case .keyed(let key): key.row.reads && key.directory == nil
                case .exact: false
                }
            }
    }
}
