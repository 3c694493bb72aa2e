import OrderedJSON

/// Deny rules for Bash: a command is found wherever it stands, also in a line that stops.
struct DenyRules {
    private let line: String
    private let disk: DiskQuestions
    private let commands: [[String]]
    /// Commands and keys by their first word: there may be many rules.
    private let named: [String: [[String]]]
    /// Of lines that are looked for in one another; longer ones are only the same or not.
    private static let mostCommands = 200
    /// Splitting a rule's line costs more than looking at a path.
    private static let costOfByte = 16

    /// A line over the splitter's limit is not looked into: a rule then forbids it by its whole text only.
    ///
    /// - Parameter input: members that stop an allow rule are no reason to overlook a command.
    init?(input: JSON, ground: Ground) {
        guard let line = input["command"]?.stringValue else { return nil }
        self.line = line
        disk = ground.disk
        let split = try? ShellSplitter.split(line, isMacBash: ground.context.shellIsMacBash)
        commands = Self.commands(split, in: line)
        let keys = (split.map { LineReader.parts(of: $0, on: ground) } ?? []).flatMap { part -> [[String]] in
            switch part.verdict {
            case .keyed(let key), .free(let key?): ([key.text] + key.others).map(Self.words) + Self.bare(key.row)
            case .free(nil), .exact: []
            }
        }
        named = Dictionary(grouping: commands + keys) { $0.first ?? "" }
    }

    /// A rule's words wherever the settings lie that it takes: `tsc --noEmit` is `tsc -p web --noEmit`, too.
    private static func bare(_ row: CommandRow) -> [[String]] {
        row.keyOptions.isEmpty ? [] : [row.words + row.keyOptions]
    }

    private static func commands(_ split: [SimpleCommand]?, in line: String) -> [[String]] {
        guard line.utf8.count <= ShellSplitter.limit else { return [] }
        return (split.map { $0.map { $0.words.map(\.value) } } ?? ShellGlance.commands(in: line)).map(canonical)
    }

    /// Some command was seen at all.
    var seesCommand: Bool { !commands.isEmpty }

    /// The rule for the line as it stands.
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

    /// All of them one behind the other, each to its end but the last.
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

    /// Without what stands between `git` and its subcommand; `[ … ]` as `test`.
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
