import OrderedJSON

/// Matches one Bash line against deny rules. Commands are found anywhere in the line, even if the line is not
/// understood.
struct DenyRules {
    private let line: String
    private let disk: DiskLookups
    private let commands: [[String]]
    /// Commands and keys, grouped by their first word because there may be many rules.
    private let named: [String: [[String]]]
    /// The most commands of a line in which a rule's line is searched. Of longer lines only the whole text is compared.
    private static let mostCommands = 200
    /// The cost of a byte of a rule's line, charged as bytes of a path: splitting takes longer than comparing.
    private static let costOfByte = 16

    /// In a line over the splitter's limit no commands are found: only a rule with the same text forbids it.
    ///
    /// - Parameter input: the tool's input. Unknown members, which exclude allow rules, are ignored here.
    init?(input: JSON, root: SessionRoot) {
        guard let line = input["command"]?.stringValue else { return nil }
        self.line = line
        disk = root.disk
        let split = try? ShellSplitter.split(line, isMacBash: root.context.shellIsMacBash)
        commands = Self.commands(split, in: line)
        let keys = (split.map { LineReader.parts(of: $0, on: root) } ?? []).flatMap { part -> [[String]] in
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

    private static func commands(_ split: [SimpleCommand]?, in line: String) -> [[String]] {
        guard line.utf8.count <= ShellSplitter.limit else { return [] }
        return (split.map { $0.map { $0.words.map(\.value) } } ?? ShellGlance.commands(in: line)).map(canonical)
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
            return named[words.first ?? ""]?.contains { Self.begins($0, with: words) } ?? false
        case .line:
            if PathText.same(pattern.subject, line) { return true }
            guard !commands.isEmpty, commands.count <= Self.mostCommands,
                disk.spend(bytes: pattern.subject.utf8.count * Self.costOfByte)
            else { return false }
            let wanted = Self.commands(try? ShellSplitter.split(pattern.subject), in: pattern.subject)
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

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// Removes the options between `git` and its subcommand, and writes `[ … ]` as `test`.
    private static func canonical(_ words: [String]) -> [String] {
        if words.first == "[" { return ["test"] + words.dropFirst() }
        guard words.first == "git" else { return words }
        var rest = words.dropFirst()
        while let word = rest.first, word.hasPrefix("-") {
            rest.removeFirst()
            if word == "-C" || word == "-c" { _ = rest.popFirst() }
        }
        return ["git"] + rest
    }
}
