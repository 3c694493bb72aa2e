import OrderedJSON
import Text

/// Matches one Bash line against deny rules. Commands are found anywhere in the line, even if the line is not
/// understood.
struct DenyRules {
    private let line: String
    private let budget: DiskLookups
    /// The commands, each as it may be named by a rule.
    private let commands: [[CommandWords]]
    /// Commands and keys, grouped by their first word because there may be many rules.
    private let named: [String: [CommandWords]]
    /// The most commands of a line in which a rule's line is searched. Of longer lines only the programs' names are compared.
    private static let mostCommands = 200
    private static let longest = 256 << 10
    /// The cost of a byte of a rule's line, charged as bytes of a path: splitting takes longer than comparing.
    private static let costOfByte = 8

    /// In a line of more than `longest` bytes no commands are found: only a rule with the same text forbids it.
    ///
    /// - Parameters:
    ///   - input: the tool's input. Unknown members, which exclude allow rules, are ignored here.
    ///   - budget: what comparing costs; another one than the root's, which a line may spend by what it names.
    init?(input: JSON, root: SessionRoot, budget: DiskLookups) {
        guard let line = input["command"]?.stringValue else { return nil }
        self.line = line
        self.budget = budget
        let simple = Self.simpleCommands(of: line, isMacBash: root.context.shellIsMacBash)
        commands = simple.map { DeniedCommand.readings(of: $0.words.map(\.value)).map(CommandWords.init) }
        let isLong = line.utf8.count > ShellSplitter.limit
        let keys = (isLong ? [] : LineReader.parts(of: simple, on: root)).flatMap { part -> [[String]] in
            switch part.verdict {
            case .keyed(let key), .free(let key?): ([key.text] + key.others).map(Self.words) + Self.bare(key.row)
            case .free(nil), .exact: []
            }
        }
        named = Dictionary(grouping: commands.flatMap(\.self) + keys.map(CommandWords.init)) { $0.words.first ?? "" }
    }

    /// A row's words without the directory of its settings: a rule for `tsc --noEmit` also forbids `tsc -p web
    /// --noEmit`.
    private static func bare(_ row: CommandRow) -> [[String]] {
        row.keyOptions.isEmpty ? [] : [row.words + row.keyOptions]
    }

    /// The commands as the shell reads them, or where the line is not understood, likely ones.
    private static func simpleCommands(of line: String, isMacBash: Bool = false) -> [SimpleCommand] {
        guard line.utf8.count <= longest else { return [] }
        if let split = try? ShellSplitter.split(line, isMacBash: isMacBash) { return split }
        return ShellGlance.commands(in: line).map(SimpleCommand.init(glanced:))
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
            return named[words.first ?? ""]?.contains { $0.match(words) } ?? false
        case .line:
            if PathText.same(pattern.subject, line) { return true }
            guard !commands.isEmpty else { return false }
            guard commands.count <= Self.mostCommands,
                budget.spend(bytes: pattern.subject.utf8.count * Self.costOfByte)
            else { return names(pattern.subject) }
            let wanted = Self.simpleCommands(of: pattern.subject).map { DeniedCommand.canonical($0.words.map(\.value)) }
            return !wanted.isEmpty && contains(wanted)
        default: return false
        }
    }

    /// True if a program of the line stands in the text, which is too long to be compared: forbidding is the safe side.
    private func names(_ text: String) -> Bool {
        commands.joined().contains { $0.words.first.map(text.holds) == true }
    }

    /// True if the line has these commands in sequence. Behind all but the last there may be options only.
    private func contains(_ wanted: [[String]]) -> Bool {
        guard commands.count >= wanted.count else { return false }
        return (0...(commands.count - wanted.count)).contains { start in
            wanted.indices.allSatisfy { index in
                commands[start + index].contains { $0.match(wanted[index], isWhole: index < wanted.count - 1) }
            }
        }
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
