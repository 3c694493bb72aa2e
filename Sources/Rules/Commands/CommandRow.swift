/// A row of the table of known commands: what of a command may vary under one approval. A class, as it is never changed
/// and handed about with each command: a copy of its dozen members would cost more than looking at them.
package final class CommandRow: Sendable {
    /// A slot stands for a part of the key that the command itself fills in.
    enum Slot: String, Sendable {
        /// A script's name: `npm run NAME`.
        case name = "NAME"
        /// Any number of targets: `make TARGETS`.
        case targets = "TARGETS"
        /// A file that exists: `python3 FILE`.
        case file = "FILE"
        /// A directory that exists, `./` before it: `go run DIR`.
        case directory = "DIR"
    }

    /// Says how an option is followed by a value; with neither kind it takes none.
    struct Option: Sendable {
        /// The next word, or attached as far as the program's parser reads that so.
        var value: ArgumentKind?
        /// Attached whatever the parser's kind: `--color=auto`, `-j8`.
        var attached: ArgumentKind?

        /// A flag: directories are read with all that is below them.
        var readsBelow = false

        var isFlag: Bool { value == nil && attached == nil }
    }

    /// The key's words, with a slot's name where the command fills it in.
    package let key: String
    /// All the command does is read.
    package let reads: Bool
    /// The key holds only in the directory where it was approved.
    package let isLocal: Bool
    /// Says how the program reads its words; with nil each option is a word of its own, and its value the next one.
    let parser: ProgramParser?
    /// Why the row is safe, or what it leaves open.
    package let reason: String

    let words: [String]
    /// `words`, as a key begins with them.
    let start: String
    let slot: Slot?
    let keyOptions: [String]
    let options: [String: Option]
    /// `-5`.
    let takesNumber: Bool
    /// Options are not told from operands: the command gets them all as one kind.
    let takesAll: Bool
    /// The program reads the key's options behind operands as well.
    let optionsAnywhere: Bool
    /// Exactly one option has to be there.
    let needsOneOption: Bool
    let operands: [ArgumentKind]
    /// The last of `operands` may come again.
    let repeats: Bool
    /// What follows `--`, where that is something else.
    let behindDashes: ArgumentKind?
    /// It makes files or directories of names that a person did not see, or may: `touch a`, `go build ./cmd/x`.
    let makesNames: Bool
    /// It runs whatever file it is given, also one that holds no test.
    let runsTests: Bool
    private let moves: Moves

    /// What these start, and with which settings, the directory says.
    private static func isStartedByDirectory(_ words: [String]) -> Bool {
        guard words.count > 1 else { return false }
        return words[0] == "npx" || ["bundle exec", "poetry run", "uv run"].contains(words[0] + " " + words[1])
    }

    /// True where git puts files of another commit into the work tree, links and repositories among them.
    func bringsFiles(_ words: [ShellWord]) -> Bool {
        switch moves {
        case .no: false
        case .always: true
        // Without a commit to start from, the files stay as they are.
        case .withStart: words.lazy.filter { $0.value.utf8.first != UInt8(ascii: "-") }.count > 3
        }
    }

    private enum Moves {
        case no, always, withStart

        init(_ start: String) {
            switch start {
            case "git pull": self = .always
            case "git checkout", "git switch": self = .withStart
            default: self = .no
            }
        }
    }

    private static func runsTests(_ words: [String]) -> Bool {
        switch words.last {
        case "phpunit", "pytest", "rspec", "unittest": true
        case "test": ["bun", "dart", "deno", "flutter", "mix"].contains(words[0])
        default: false
        }
    }

    /// Where the rows of a command are looked for: its first word, `./` for a file that is run.
    var name: String { words.first ?? "./" }

    /// Its options (`--name`, `-n=count`, `-j?=count`, `-r=below`, `-#`, `all`, `one`, `anywhere`) and operands
    /// (`text path...`, `rev... -- path`, `none`) as text.
    init(
        key: String, parser: ProgramParser? = nil, reads: Bool = false, isLocal: Bool = false, options: String = "",
        operands: String = "none", reason: String
    ) throws(CommandRowError) {
        let parts = try CommandRow.Key(key)
        let optionParts = try Options(options, key: key)
        let operandParts = try Operands(operands, key: key)
        guard reason.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
            throw CommandRowError(key: key, message: "has no reason: say in one sentence why it is safe")
        }
        self.key = key
        self.parser = parser
        self.reads = reads
        self.isLocal = isLocal || CommandRow.isStartedByDirectory(parts.words)
        self.reason = reason
        words = parts.words
        start = parts.words.joined(separator: " ")
        slot = parts.slot
        keyOptions = parts.options
        self.options = optionParts.options
        takesNumber = optionParts.takesNumber
        takesAll = optionParts.takesAll
        needsOneOption = optionParts.needsOne
        optionsAnywhere = optionParts.anywhere
        self.operands = parts.slot == .targets ? [.target] : operandParts.kinds
        repeats = parts.slot == .targets || operandParts.repeats
        behindDashes = operandParts.behindDashes
        makesNames = ["go build", "mkdir", "touch"].contains(start) || words.last == "tsc"
        runsTests = CommandRow.runsTests(words)
        moves = Moves(start)
    }
}

/// A row that cannot be read.
package struct CommandRowError: Error, Sendable, Hashable, CustomStringConvertible {
    package let key: String
    package let message: String

    package var description: String { "the row \"\(key)\" \(message)" }
}
