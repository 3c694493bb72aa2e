/// One command: what `--help` says of it and what it does. The help, the parser and the README are made of these.
struct Command: Sendable {
    let name: String
    /// After the name: operands, in the customary notation (`ID`, `[NAME]`).
    let operands: String
    let operandCount: ClosedRange<Int>
    let summary: String
    /// What a newcomer needs to know beside the summary.
    let details: String
    let options: [CommandOption]
    let run: @Sendable (Invocation) throws -> Void

    init(
        _ name: String, operands: String = "", _ operandCount: ClosedRange<Int> = 0...0, summary: String,
        details: String = "", options: [CommandOption] = [], run: @escaping @Sendable (Invocation) throws -> Void
    ) {
        self.name = name
        self.operands = operands
        self.operandCount = operandCount
        self.summary = summary
        self.details = details
        self.options = options
        self.run = run
    }
}

/// `--name` or `--name VALUE`.
struct CommandOption: Sendable {
    let name: String
    /// The placeholder of its value; `nil` for a switch.
    let value: String?
    let summary: String

    init(_ name: String, _ value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    static let json = CommandOption("--json", nil, "machine-readable output, with a version field")
}

/// A command as it was called.
struct Invocation: Sendable {
    let command: Command
    let operands: [String]
    let options: [String: String]
    let environment: [String: String]

    func has(_ option: String) -> Bool { options[option] != nil }

    subscript(option: String) -> String? { options[option] }

    var wantsJSON: Bool { has("--json") }
}
