/// The key of a command under one row: a rule with this key covers the command.
struct CommandKey {
    /// The key's words, separated by spaces.
    let text: String
    /// The key with only the orders among the arguments passed to a script (see `PassedArguments`). A rule with this
    /// key covers the command, too.
    var fullText: String?
    /// Further keys that must be granted, too, because the command loads settings of other directories.
    var others: [String] = []
    /// The key of a deny rule, where that of an allow rule has words that the command has not: the address of a remote.
    var deniedText: String?
    let row: CommandRow
    /// The directory where the key holds, for rows that are local to a directory.
    let directory: String?

    var pattern: Pattern { pattern(text) }
    var fullPattern: Pattern? { fullText.map(pattern) }
    var otherPatterns: [Pattern] { others.map(pattern) }
    var deniedPattern: Pattern? { deniedText.map(pattern) }

    private func pattern(_ text: String) -> Pattern {
        Pattern(.command, tool: "Bash", subject: text, directory: directory)
    }
}
