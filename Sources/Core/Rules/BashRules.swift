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

    private static let members: Set<String> = ["command", "description", "run_in_background", "timeout"]

    /// The command of a call that holds nothing else of weight.
    static func line(of input: JSON) -> String? {
        guard let object = input.objectValue, object.keys.allSatisfy(members.contains) else { return nil }
        return object["command"]?.stringValue
    }

    /// The rule for the whole line, byte for byte, in this directory.
    var exact: Pattern {
        Pattern(.line, tool: "Bash", subject: line, directory: ground.context.cwd)
    }

    /// What a rule would remember: the keys, or the line itself.
    var patterns: [Pattern] {
        guard let needed = needed else { return [exact] }
        var patterns: [Pattern] = []
        for pattern in needed.all + needed.any where !patterns.contains(pattern) { patterns.append(pattern) }
        return patterns
    }

    /// Rules that have to exist: all of the first, or where there is none of these, any of the second.
    ///
    /// Nil where a command has no key, and where none at all has one.
    private var needed: (all: [Pattern], any: [Pattern])? {
        guard !ground.rootIsBroad else { return nil }
        var all: [Pattern] = []
        var any: [Pattern] = []
        for part in parts {
            switch part.verdict {
            case .keyed(let key): all.append(key.pattern)
            case .free(let key): if let key { any.append(key.pattern) }
            case .exact: return nil
            }
        }
        guard all.isEmpty else { return (all, []) }
        return any.isEmpty ? nil : ([], any)
    }

    /// The rules among these that settle the line together.
    func settled(by allow: some Collection<Pattern>) -> [Pattern]? {
        let exact = exact
        if allow.contains(exact) { return [exact] }
        guard let needed else { return nil }
        guard needed.all.isEmpty else { return needed.all.allSatisfy(allow.contains) ? unique(needed.all) : nil }
        return needed.any.first(where: allow.contains).map { [$0] }
    }

    private func unique(_ patterns: [Pattern]) -> [Pattern] {
        patterns.enumerated().filter { !patterns[..<$0.offset].contains($0.element) }.map(\.element)
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
