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

    private static func isMember(_ key: String) -> Bool {
        members.contains { PathText.same($0, key) }
    }

    /// The rule for the whole line, byte for byte, in this directory.
    var exact: Pattern {
        Pattern(.line, tool: "Bash", subject: line, directory: ground.context.cwd)
    }

    /// What a rule would remember: the keys, or the line itself.
    var patterns: [Pattern] {
        needed.map { $0.all + $0.any } ?? [exact]
    }

    /// Rules that have to exist: all of the first, or where there is none of these, any of the second. Each is there once.
    ///
    /// Nil where a command has no key, and where none at all has one.
    private var needed: (all: [Pattern], any: [Pattern])? {
        guard !ground.rootIsBroad else { return nil }
        var all: [Pattern] = []
        var any: [Pattern] = []
        for part in parts {
            switch part.verdict {
            case .keyed(let key): Self.add(key.pattern, to: &all)
            case .free(let key): if let key { Self.add(key.pattern, to: &any) }
            case .exact: return nil
            }
        }
        guard all.isEmpty else { return (all, []) }
        return any.isEmpty ? nil : ([], any)
    }

    private static func add(_ pattern: Pattern, to patterns: inout [Pattern]) {
        if !patterns.contains(pattern) { patterns.append(pattern) }
    }

    /// The rules among these that settle the line together.
    func settled(by allow: some Collection<Pattern>) -> [Pattern]? {
        let exact = exact
        if allow.contains(exact) { return [exact] }
        guard let needed else { return nil }
        guard needed.all.isEmpty else { return needed.all.allSatisfy(allow.contains) ? needed.all : nil }
        return needed.any.first(where: allow.contains).map { [$0] }
    }

    /// Every command begins with the words of a row that only reads, or needs no rule.
    var onlyReads: Bool {
        parts.allSatisfy { part in
            if case .free = part.verdict { return true }
            guard let (words, _) = try? KeyFinder.canonical(part.command.words, in: ground.start) else { return false }
            return KeyFinder.rows(for: words, in: ground.context.commands).contains { row in
                row.reads
                    && zip(words.dropFirst(row.words.count).map(\.value) + [""], row.keyOptions)
                        .allSatisfy { PathText.same($0, $1) }
                    && words.count >= row.words.count + row.keyOptions.count
            }
        }
    }
}
