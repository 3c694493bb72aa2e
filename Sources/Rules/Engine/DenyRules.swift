import OrderedJSON

/// Matches one Bash line against deny rules. Commands are found anywhere in the line, even if the line is not
/// understood.
struct DenyRules {
    private let line: String
    private let budget: DiskLookups
    private let commands: [[String]]
    /// Commands and keys, grouped by their first word because there may be many rules.
    private let named: [String: [[String]]]
    /// The most commands of a line in which a rule's line is searched. Of longer lines only the whole text is compared.
    private static let mostCommands = 200
    /// The cost of a byte of a rule's line, charged as bytes of a path: splitting takes longer than comparing.
    private static let costOfByte = 16

    /// In a line over the splitter's limit no commands are found: only a rule with the same text forbids it.
    ///
    /// - Parameters:
    ///   - input: the tool's input. Unknown members, which exclude allow rules, are ignored here.
    ///   - budget: what comparing costs; another one than the root's, which a line may spend by what it names.
    init?(input: JSON, root: SessionRoot, budget: DiskLookups) {
        guard let line = input["command"]?.stringValue else { return nil }
        self.line = line
        self.budget = budget
        let simple = Self.simpleCommands(of: line, isMacBash: root.context.shellIsMacBash)
        commands = Self.words(of: simple)
        let keys = LineReader.parts(of: simple, on: root).flatMap { part -> [[String]] in
            switch part.verdict {
            case .keyed(let key), .free(let key?): ([key.text] + key.others).map(Self.words) + Self.bare(key.row)
            case .free(nil), .exact: []
            }
        }
        named = Dictionary(grouping: commands + keys) { $0.first ?? "" }
    }

    /// A row's words without the directory of its settings: a rule for `tsc --noEmit` also forbids `tsc -p web
    /// --noEmit`.
    private static func bare(_ row: CommandRow) -> [[String]] {
        row.keyOptions.isEmpty ? [] : [row.words + row.keyOptions]
    }

    /// The commands as the shell reads them, or where the line is not understood, likely ones.
    private static func simpleCommands(of line: String, isMacBash: Bool = false) -> [SimpleCommand] {
        guard line.utf8.count <= ShellSplitter.limit else { return [] }
        if let split = try? ShellSplitter.split(line, isMacBash: isMacBash) { return split }
        return ShellGlance.commands(in: line).map(SimpleCommand.init(glanced:))
    }

    private static func words(of commands: [SimpleCommand]) -> [[String]] {
        commands.map { canonical($0.words.map(\.value)) }
    }

    /// True if any command was found.
    var seesCommand: Bool { !commands.isEmpty }

    /// The rule for exactly this line.
    func exact(in directory: String) -> Pattern {
        Pattern(.line, tool: "Bash", subject: line, directory: directory)
    }

    func isForbidden(by pattern: Pattern) -> Bool {
        switch pattern.kind {
        case .command:
            let words = Self.words(pattern.subject)
            return named[words.first ?? ""]?.contains { Self.begins($0, withKey: words) } ?? false
        case .line:
            if PathText.same(pattern.subject, line) { return true }
            guard !commands.isEmpty, commands.count <= Self.mostCommands,
                budget.spend(bytes: pattern.subject.utf8.count * Self.costOfByte)
            else { return false }
            let wanted = Self.words(of: Self.simpleCommands(of: pattern.subject))
            return !wanted.isEmpty && contains(wanted)
        default: return false
        }
    }

    /// True if the line has these commands in sequence. All but the last must match completely, the last as a prefix.
    private func contains(_ wanted: [[String]]) -> Bool {
        guard commands.count >= wanted.count else { return false }
        return (0...(commands.count - wanted.count)).contains { start in
            wanted.indices.allSatisfy { index in
                let found = commands[start + index]
                let isLast = index == wanted.count - 1
                return Self.begins(found, with: wanted[index]) && (isLast || found.count == wanted[index].count)
            }
        }
    }

    private static func begins(_ words: [String], with start: [String]) -> Bool {
        words.count >= start.count && zip(words, start).allSatisfy { PathText.same($0, $1) }
    }

    /// True if the words begin with those of a key. Options may stand between them, and variables, which may be empty:
    /// `make -k $X deploy`.
    private static func begins(_ words: [String], withKey key: [String]) -> Bool {
        var rest = words[...]
        for (number, wanted) in key.enumerated() {
            if number > 0 {
                rest = rest.drop { word in
                    word.utf8.first.map { "-$".utf8.contains($0) } == true && !PathText.same(word, wanted)
                }
            }
            guard let word = rest.popFirst(), PathText.same(word, wanted) else { return false }
        }
        return true
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// Removes variables in front, which may be empty, `timeout` and the options between `git` and its subcommand, and
    /// writes `[ … ]` as `test`.
    private static func canonical(_ words: [String]) -> [String] {
        let named = words.drop { $0.utf8.first == UInt8(ascii: "$") }
        var rest = CommandPrefix.withoutTimeout(named.isEmpty ? words[...] : named)
        if rest.first == "[" { return ["test"] + rest.dropFirst() }
        guard rest.first == "git" else { return Array(rest) }
        rest.removeFirst()
        while let word = rest.first, word.hasPrefix("-") {
            rest.removeFirst()
            if valuesOfGit.contains(word) { _ = rest.popFirst() }
        }
        return ["git"] + rest
    }

    /// Options before git's subcommand whose value is the next word.
    private static let valuesOfGit: Set<String> = [
        "--attr-source", "--config-env", "--git-dir", "--namespace", "--work-tree", "-C", "-c",
    ]
}
