/// One command: its name, its text for `--help`, and its action. The help and the parser are made of these; a test
/// compares the README with them.
package struct Command: Sendable {
    package let name: String
    /// The operands after the name, in the customary notation (`ID`, `[NAME]`).
    package let operands: String
    package let operandCount: ClosedRange<Int>
    package let summary: String
    /// `--help` prints these sentences after the summary.
    package let details: String
    package let options: [CommandOption]
    package let run: @Sendable (Invocation) throws -> Void

    package init(
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
package struct CommandOption: Sendable {
    package let name: String
    /// The placeholder of its value; `nil` for a switch.
    package let value: String?
    package let summary: String

    package init(_ name: String, _ value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    package static let json = CommandOption("--json", nil, "machine-readable output, with a version field")
}

/// A command as it was called.
package struct Invocation: Sendable {
    package let command: Command
    package let operands: [String]
    package let options: [String: String]
    package let environment: [String: String]

    package func has(_ option: String) -> Bool { options[option] != nil }

    package subscript(option: String) -> String? { options[option] }

    package var wantsJSON: Bool { has("--json") }
}
