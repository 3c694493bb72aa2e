/// The text of `--help`, in lines of at most `width` characters.
package enum Help {
    package static func overview(_ groups: [CommandGroup], width: Int) -> String {
        let widest = groups.flatMap(\.commands).map(\.name.count).max() ?? 0
        let sections = groups.map { $0.title + "\n" + list($0.commands, widest, width) + "\n" }
        return paragraph(
            "cdev holds Claude Code's permission requests until somebody answers, here or from afar.", width)
            + "\nusage: cdev COMMAND [OPTION…]\n\n" + sections.joined()
            + paragraph("`cdev help COMMAND` explains one of them. State lives in $CDEV_HOME (default ~/.cdev).", width)
            + paragraph("Exit status: 0 done, 1 failed, 2 wrong usage, 3 no daemon, 4 refused.", width)
    }

    /// The commands whose names begin with a word that is no command by itself, such as `token`; `nil` if none does.
    package static func family(_ word: String, among commands: [Command], width: Int) -> String? {
        let family = commands.filter { $0.name.hasPrefix(word + " ") }
        guard !family.isEmpty, !commands.contains(where: { $0.name == word }) else { return nil }
        return "usage: cdev \(word) COMMAND\n\n\(list(family, 0, width))\n"
            + paragraph("`cdev help \(word) COMMAND` explains one of them.", width)
    }

    private static func list(_ commands: [Command], _ widest: Int, _ width: Int) -> String {
        Prose.definitions(commands.map { ($0.name, $0.summary) }, beside: widest, width: width)
    }

    private static func paragraph(_ text: String, _ width: Int) -> String {
        Prose.lines(text, width: width).map { $0 + "\n" }.joined()
    }

    package static func text(of command: Command, width: Int) -> String {
        let operands = command.operands.isEmpty ? "" : " " + command.operands
        let options = command.options.isEmpty ? "" : " [OPTION…]"
        var text = "usage: cdev \(command.name)\(operands)\(options)\n\n" + paragraph(sentence(command.summary), width)
        if !command.details.isEmpty { text += "\n" + paragraph(command.details, width) }
        guard !command.options.isEmpty else { return text }
        let rows = command.options.map { ($0.name + ($0.value.map { " " + $0 } ?? ""), $0.summary) }
        return text + "\n" + Prose.definitions(rows, width: width)
    }

    static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}
