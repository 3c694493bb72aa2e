/// The key of a command under one row: a rule with this key covers the command.
struct CommandKey {
    /// A key's words, separated by spaces, and those of keys of which a rule covers the command, too: the key with only the
    /// orders among the arguments passed to a script (see `PassedArguments`), and those of commands that do more (see
    /// `WiderCommands`).
    struct Text {
        let own: String
        var wider: [String] = []

        /// The same with other words.
        func map(_ change: (String) -> String) -> Text { Text(own: change(own), wider: wider.map(change)) }
    }

    let text: Text
    /// Further keys that must be granted, too, because the command loads settings of other directories.
    var others: [Text] = []
    /// The key of a deny rule, where that of an allow rule has words that the command has not: the address of a remote.
    var deniedText: String?
    let row: CommandRow
    /// The directory where the key holds, for rows that are local to a directory.
    let directory: String?

    var pattern: Pattern { pattern(text.own) }
    var deniedPattern: Pattern? { deniedText.map(pattern) }

    func pattern(_ text: String) -> Pattern {
        Pattern(.command, tool: "Bash", subject: text, directory: directory)
    }
}
