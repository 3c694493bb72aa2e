/// The text of `--help`.
package enum Help {
    package static func overview(_ groups: [CommandGroup]) -> String {
        let width = groups.flatMap(\.commands).map(\.name.count).max() ?? 0
        let sections = groups.map { group in
            group.title + "\n" + group.commands.map { "  " + pad($0.name, width) + "  " + $0.summary + "\n" }.joined()
        }
        return """
            cdev holds Claude Code's permission requests until somebody answers, here or from afar.

            usage: cdev COMMAND [OPTION…]

            \(sections.joined(separator: "\n"))
            `cdev help COMMAND` explains one of them. State lives in $CDEV_HOME (default ~/.cdev).
            Exit status: 0 done, 1 failed, 2 wrong usage, 3 no daemon, 4 refused.

            """
    }

    /// The commands whose names begin with a word that is no command by itself, such as `token`; `nil` if none does.
    package static func family(_ word: String, among commands: [Command]) -> String? {
        let family = commands.filter { $0.name.hasPrefix(word + " ") }
        guard !family.isEmpty, !commands.contains(where: { $0.name == word }) else { return nil }
        return "usage: cdev \(word) COMMAND\n\n\(list(family))\n`cdev help \(word) COMMAND` explains one of them.\n"
    }

    private static func list(_ commands: [Command]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        return commands.map { "  " + pad($0.name, width) + "  " + $0.summary + "\n" }.joined()
    }

    package static func text(of command: Command) -> String {
        let operands = command.operands.isEmpty ? "" : " " + command.operands
        let options = command.options.isEmpty ? "" : " [OPTION…]"
        var text = "usage: cdev \(command.name)\(operands)\(options)\n\n\(sentence(command.summary))\n"
        if !command.details.isEmpty { text += "\n\(command.details)\n" }
        guard !command.options.isEmpty else { return text }
        let names = command.options.map { $0.name + ($0.value.map { " " + $0 } ?? "") }
        let width = names.map(\.count).max() ?? 0
        return text + "\n"
            + zip(names, command.options).map { "  " + pad($0, width) + "  " + $1.summary + "\n" }.joined()
    }

    static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
