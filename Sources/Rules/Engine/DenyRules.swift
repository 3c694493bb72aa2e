import OrderedJSON
import Text

/// Matches one Bash line against deny rules. Commands are found anywhere in the line, even if the line is not
/// understood.
struct DenyRules {
    private let line: String
    /// True for a line of PowerShell: of what may be meant, everything is forbidden.
    private let isPowerShell: Bool
    private let budget: DiskLookups
    /// The commands, each as it may be named by a rule.
    private let commands: [[CommandWords]]
    /// True if a part of the line was not read: it may run any command, so each rule forbids it.
    private let isUnread: Bool
    /// The same of the texts of which nobody knows whether a shell gets them, and their commands.
    private let isPossibleUnread: Bool
    private let possible: [[CommandWords]]
    /// Commands and keys, grouped by their first word because there may be many rules.
    private let named: [String: [CommandWords]]
    private let mentioned: MentionedCommands
    /// The scripts of a package that the line runs, by whatever program.
    private let scripts: Set<String>
    private let started: StartedFile
    private let files: NamedFiles
    /// Those whose program nobody can tell.
    private let unknown: [CommandWords]
    /// The most commands of a line in which a rule's line is searched. Of longer lines only the programs' names are compared.
    private static let mostCommands = 200
    private static let longest = 256 << 10
    /// The cost of a byte of a rule's line, charged as bytes of a path: splitting takes longer than comparing.
    private static let costOfByte = 8

    /// - Parameters:
    ///   - tool: whose language the line has.
    ///   - input: the tool's input. Unknown members, which exclude allow rules, are ignored here.
    ///   - budget: what comparing costs; another one than the root's, which a line may spend by what it names.
    init?(tool: String, input: JSON, root: SessionRoot, budget: DiskLookups) {
        guard let line = input["command"]?.stringValue else { return nil }
        self.line = line
        self.budget = budget
        isPowerShell = tool == RuleEngine.powerShell
        let (simple, words, found) =
            isPowerShell
            ? Self.powerShellCommands(of: line)
            : Self.commands(of: line, isMacBash: root.context.shellIsMacBash)
        let readings = found.isWhole ? words.map(DeniedCommand.readings) : []
        let others = found.isPossibleWhole ? found.possible.map(DeniedCommand.readings) : []
        isUnread = !found.isWhole || !readings.allSatisfy(\.areAll)
        isPossibleUnread = !found.isPossibleWhole || !others.allSatisfy(\.areAll)
        let started = StartedFile(root: root, in: words + found.possible)
        self.started = started
        commands = readings.map { started.readings($0.list).map(CommandWords.init) }
        files = NamedFiles(zip(words, readings).map { ($0, $1.list) }, found.inputs, started)
        possible = others.map { started.readings($0.list).map(CommandWords.init) }
        scripts = Set((commands + possible).joined().lazy.flatMap { PackageScripts.scripts(ofAny: $0.words) })
        mentioned = MentionedCommands(found.isWhole ? words : [], found.isWhole ? found.inputs : [])
        let isLong = line.utf8.count > ShellSplitter.limit
        let keys = (isLong ? [] : LineReader.parts(of: simple, on: root)).flatMap { part -> [[String]] in
            switch part.verdict {
            case .keyed(let key), .free(let key?):
                ([key.deniedText ?? key.text.own] + key.others.map(\.own)).map(Self.words) + Self.bare(key.row)
            case .free(nil), .exact: []
            }
        }
        named = Dictionary(
            grouping: commands.flatMap(\.self) + keys.map { CommandWords(CommandAliases.usual($0[...])) }
        ) {
            $0.words.first ?? ""
        }
        unknown = named[CommandWords.anyProgram] ?? []
    }

    /// A row's words without the directory of its settings: a rule for `tsc --noEmit` also forbids `tsc -p web
    /// --noEmit`.
    private static func bare(_ row: CommandRow) -> [[String]] {
        row.keyOptions.isEmpty ? [] : [row.words + row.keyOptions]
    }

    /// The commands as the shell reads them, or where the line is not understood, likely ones; their words and those of the
    /// texts among them, with braces expanded; and what was found in the texts.
    private static func commands(
        of line: String, isMacBash: Bool = false
    ) -> (simple: [SimpleCommand], words: [[String]], found: EvaluatedText.Found) {
        guard line.utf8.count <= longest else { return ([], [], EvaluatedText.Found(isWhole: false)) }
        let split = try? ShellSplitter.split(line, isMacBash: isMacBash)
        let reading: ShellGlance.Reading
        if let split, !split.contains(where: { $0.words.contains { $0.marks.contains(.brace) } }) {
            reading = ShellGlance.Reading(commands: split.map { $0.words.map(\.value) })
        } else {
            reading = ShellGlance.read(line)
        }
        guard reading.commands.count <= EvaluatedText.mostCommands else {
            return ([], [], EvaluatedText.Found(isWhole: false))
        }
        var found = reading.isWhole ? EvaluatedText.read(reading) : EvaluatedText.Found(isWhole: false)
        found.inputs += reading.inputs
        return (split ?? reading.commands.map(SimpleCommand.init(glanced:)), reading.commands + found.commands, found)
    }

    /// The same of a text of PowerShell.
    private static func powerShellCommands(
        of line: String
    ) -> (simple: [SimpleCommand], words: [[String]], found: EvaluatedText.Found) {
        guard line.utf8.count <= longest else { return ([], [], EvaluatedText.Found(isWhole: false)) }
        let text = PowerShellText(line)
        guard text.isWhole, text.commands.count <= EvaluatedText.mostCommands else {
            return ([], [], EvaluatedText.Found(isWhole: false))
        }
        let found = EvaluatedText.read(ShellGlance.Reading(commands: text.commands))
        return ([], text.commands + found.commands, found)
    }

    /// True if any command was found, or what was not read may be one.
    var seesCommand: Bool { isUnread || !commands.isEmpty }

    /// The rule for exactly this line.
    func exact(in directory: String) -> Pattern {
        Pattern(.line, tool: "Bash", subject: line, directory: directory)
    }

    func isForbidden(by pattern: Pattern) -> Bool { matches(pattern, isLoose: isPowerShell) }

    /// True if a word behind an option that is not known may be its value, or a program that is not known may run what is
    /// behind it, and the line is forbidden then.
    func mayForbid(_ pattern: Pattern) -> Bool { matches(pattern, isLoose: true) }

    private func matches(_ pattern: Pattern, isLoose: Bool) -> Bool {
        if isUnread || isLoose && isPossibleUnread { return true }
        switch pattern.kind {
        case .command:
            let words = CommandAliases.usual(named(Self.words(pattern.subject))[...])
            let forms = started.formsOfRule(words, from: nil)
            let ways = [words] + forms
            return ways.contains { way in
                named[way.first ?? ""]?.contains { $0.match(way, isLoose: isLoose) } ?? false
            }
                || files.mayRun(forms) || unknown.contains { $0.match(words, isLoose: isLoose) }
                || isLoose && (mentioned.contain(words) || mayContain([words]))
        case .line:
            if PathText.same(pattern.subject, line) { return true }
            guard !commands.isEmpty else { return false }
            guard commands.count <= Self.mostCommands,
                budget.spend(bytes: pattern.subject.utf8.count * Self.costOfByte)
            else { return names(pattern.subject) }
            return wanted(of: pattern.subject).contains { wanted in
                let forms = wanted.map { started.formsOfRule($0, from: pattern.directory) }
                return contains(zip(wanted, forms).map { [$0] + $1 }, isLoose: isLoose)
                    || forms.count == 1 && files.mayRun(forms[0]) || isLoose && mayContain(wanted)
            }
        default: return false
        }
    }

    /// The commands of a rule's line, in each way in which the line may be read.
    private func wanted(of line: String) -> [[[String]]] {
        let read =
            [Self.commands(of: line).words] + (isPowerShell ? [Self.powerShellCommands(of: line).words] : [])
        return read.map { $0.map { DeniedCommand.canonical(named($0)) } }.filter { !$0.isEmpty }
    }

    /// The words of a rule as they are found in this line.
    private func named(_ words: [String]) -> [String] {
        isPowerShell ? PowerShellText.usual(words) : words
    }

    /// True if a program of the line stands in the text, which is too long to be compared: forbidding is the safe side.
    private func names(_ text: String) -> Bool {
        named.keys.contains { !$0.isEmpty && text.holds($0) }
    }

    /// True if the line has these commands in sequence. Behind all but the last there may be options only.
    /// - Parameter wanted: each in all its forms.
    private func contains(_ wanted: [[[String]]], isLoose: Bool) -> Bool {
        guard commands.count >= wanted.count else { return false }
        return (0...(commands.count - wanted.count)).contains { start in
            wanted.indices.allSatisfy { index in
                commands[start + index].contains { command in
                    wanted[index].contains {
                        command.match($0, isWhole: index < wanted.count - 1, isLoose: isLoose)
                    }
                } || isLoose && mentioned.contain(wanted[index][0], in: start + index)
            }
        }
    }

    /// True if the texts that a shell may get have these commands in sequence, or another program runs the same script.
    private func mayContain(_ wanted: [[String]]) -> Bool {
        if wanted.count == 1, PackageScripts.scripts(ofAny: wanted[0]).contains(where: scripts.contains) { return true }
        guard possible.count >= wanted.count else { return false }
        return (0...(possible.count - wanted.count)).contains { start in
            wanted.indices.allSatisfy { index in
                possible[start + index].contains { $0.match(wanted[index], isLoose: true) }
            }
        }
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
