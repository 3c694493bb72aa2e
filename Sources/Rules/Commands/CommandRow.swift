/// A row of the table of known commands: which parts of a command may vary under one approval. An immutable class,
/// because each command refers to a row, and copying its dozen members would cost more than reading them.
package final class CommandRow: Sendable {
    /// A part of the key that the command itself fills in.
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

    /// An option and its value. With neither `value` nor `attached` the option takes none.
    struct Option: Sendable {
        /// The kind of a value in the next word, or attached if the program's parser reads attached values.
        var value: ArgumentKind?
        /// The kind of an attached value with any parser: `--color=auto`, `-j8`.
        var attached: ArgumentKind?

        /// True if the option is a flag that makes the program read directories recursively.
        var readsBelow = false

        var isFlag: Bool { value == nil && attached == nil }
    }

    /// The key's words, with a slot's name in place of the part that the command fills in.
    package let key: String
    /// True if the command only reads.
    package let reads: Bool
    /// True if the key holds only in the directory where it was approved.
    package let isLocal: Bool
    /// The program's parser. With nil each option is a word of its own, and its value the next word.
    let parser: ProgramParser?
    /// The reason why the row is safe, or what it does not cover.
    package let reason: String

    let words: [String]
    /// `words`, joined by spaces.
    let start: String
    let slot: Slot?
    let keyOptions: [String]
    let options: [String: Option]
    /// True if the command takes a number as an option, `-5`.
    let takesNumber: Bool
    /// True if all words, options included, are operands of one kind.
    let takesAll: Bool
    /// True if the program reads the key's options after operands as well.
    let optionsAnywhere: Bool
    /// True if exactly one option has to be given.
    let needsOneOption: Bool
    let operands: [ArgumentKind]
    /// True if the last of `operands` may repeat.
    let repeats: Bool
    /// The kind of the words after `--`, if it differs from `operands`.
    let behindDashes: ArgumentKind?
    /// True if the command may create files or directories, also with names that the person did not see: `touch a`, `go
    /// build ./cmd/x`.
    let makesNames: Bool
    /// True if the command is a test runner that runs any file it is given, even one without a test.
    let runsTests: Bool
    /// See `WorkerModules`.
    let checker: String?
    /// See `WiderCommands`.
    let wider: [(start: String, options: [String])]
    private let moves: Moves

    /// True if a file in the directory decides which program these words start, and with which settings.
    private static func isStartedByDirectory(_ words: [String]) -> Bool {
        guard words.count > 1 else { return false }
        return words[0] == "npx" || ["bundle exec", "poetry run", "uv run"].contains(words[0] + " " + words[1])
    }

    /// True if git writes files of another commit into the work tree, which may include links and repositories.
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

    /// The name by which the table groups rows: the first word, or `./` for a file that is run.
    var name: String { words.first ?? "./" }

    /// Parses a row. Throws where a column cannot be read.
    /// - Parameters:
    ///   - options: `--name`, `-n=count`, `-j?=count`, `-r=below`, `-#`, `all`, `one` and `anywhere`, separated by
    ///     spaces.
    ///   - operands: `text path...`, `rev... -- path` or `none`.
    ///   - isShipped: false for a row that a person added, under whose options a command may do more than others.
    init(
        key: String, parser: ProgramParser? = nil, reads: Bool = false, isLocal: Bool = false, options: String = "",
        operands: String = "none", reason: String, isShipped: Bool = false
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
        checker = WorkerModules.checker(among: words)
        wider = isShipped ? WiderCommands.keys(than: key) : []
        moves = Moves(start)
    }
}

/// The reason why a row of the table cannot be read.
package struct CommandRowError: Error, Sendable, Hashable, CustomStringConvertible {
    package let key: String
    package let message: String

    package var description: String { "the row \"\(key)\" \(message)" }
}
