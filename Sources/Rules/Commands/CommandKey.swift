/// A key says what a command's words are worth under one row.
struct CommandKey {
    /// The key's words, told apart by spaces.
    let text: String
    /// With no more of what is handed on than its orders: what was approved without the rest covers the call, too.
    var fullText: String?
    /// Further keys that have to be granted as well: it takes the settings of other directories, too.
    var others: [String] = []
    let row: CommandRow
    /// The directory where it holds, for rows that say so.
    let directory: String?

    var pattern: Pattern { pattern(text) }
    var fullPattern: Pattern? { fullText.map(pattern) }
    var otherPatterns: [Pattern] { others.map(pattern) }

    private func pattern(_ text: String) -> Pattern {
        Pattern(.command, tool: "Bash", subject: text, directory: directory)
    }
}
