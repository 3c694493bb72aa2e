import Core
import Glibc
import Host
import Platform

/// Manual pages, made of the table of commands as the help is.
package enum ManualPage {
    /// The name of a command's page: `cdev-rules-revoke`.
    package static func name(_ command: Command) -> String {
        "cdev-" + command.name.split(separator: " ").joined(separator: "-")
    }

    package static func overview(_ groups: [CommandGroup]) -> String {
        var text = head("cdev", "answer Claude Code's permission requests from elsewhere")
        text += ".SH SYNOPSIS\n.B cdev\n.I COMMAND\n[OPTION...]\n"
        text +=
            ".SH DESCRIPTION\n"
            + escaped(
                "cdev holds Claude Code's permission requests until somebody answers, here or from afar.")
        for group in groups {
            text += ".SS \(escaped(group.title))"
            for command in group.commands {
                text += ".TP\n\\fB\(inline(command.name))\\fR \(inline(command.operands))\n\(escaped(command.summary))"
            }
        }
        text += exitStatus + ".SH FILES\n.TP\n.I ~/.cdev\n" + escaped("state and configuration, or $CDEV_HOME")
        return text + ".SH SEE ALSO\n"
            + groups.flatMap(\.commands).map { "\\fB\(inline(name($0)))\\fR(1)" }
            .joined(separator: ",\n") + "\n"
    }

    package static func text(of command: Command) -> String {
        var text = head(name(command), command.summary)
        text += ".SH SYNOPSIS\n\\fBcdev \(inline(command.name))\\fR \(inline(command.operands))"
        text += command.options.isEmpty ? "\n" : " [OPTION...]\n"
        text += ".SH DESCRIPTION\n" + escaped(Help.sentence(command.summary))
        if !command.details.isEmpty { text += ".PP\n" + escaped(command.details) }
        if !command.options.isEmpty { text += ".SH OPTIONS\n" }
        for option in command.options {
            let value = option.value.map { " \\fI\(inline($0))\\fR" } ?? ""
            text += ".TP\n\\fB\(inline(option.name))\\fR\(value)\n\(escaped(Help.sentence(option.summary)))"
        }
        return text + exitStatus + ".SH SEE ALSO\n\\fBcdev\\fR(1)\n"
    }

    private static let exitStatus = """
        .SH EXIT STATUS
        0 done, 1 failed, 2 wrong usage, 3 no daemon, 4 refused.

        """

    private static func head(_ name: String, _ summary: String) -> String {
        ".TH \(name.uppercased()) 1 \"\" \"cdev \(Version.text)\" \"cdev\"\n"
            + ".SH NAME\n\(inline(name)) \\- \(inline(summary))\n"
    }

    /// Text in a line with requests of roff. Beyond ASCII characters are named: a formatter may not know the encoding.
    private static func inline(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let number = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - number.count)) + number + "]"
            }
        }
    }

    /// Text on lines of its own: none of them begins with a control character of roff.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            let line = inline(String(line))
            return (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
        }.joined()
    }

    /// Every page, by its file name.
    package static var files: [(name: String, text: String)] {
        [("cdev.1", overview(CommandGroup.all))] + Command.all.map { (name($0) + ".1", text(of: $0)) }
    }
}

extension Command {
    static let man = Command(
        "man", operands: "[COMMAND]", 0...2, summary: "show the manual page of cdev or of a command",
        details: "At a terminal by man(1), else as roff. With --to every page is written as a file, for a package.",
        options: [CommandOption("--to", "DIR", "write cdev.1 and a page for each command into DIR")]
    ) { invocation in
        if let directory = invocation["--to"] { return try write(to: Places.absolute(directory)) }
        let name = invocation.operands.joined(separator: " ")
        let text: String
        if name.isEmpty {
            text = ManualPage.overview(CommandGroup.all)
        } else if let command = all.first(where: { $0.name == name }) {
            text = ManualPage.text(of: command)
        } else {
            let meant = Nearest.word(name, among: all.map(\.name))
            throw CommandFailure.usage("there is no command `\(name.shown(40))`", invocation.command, meant: meant)
        }
        guard isatty(STDOUT_FILENO) == 1 else { return Terminal.write(text) }
        try show(text, invocation)
    }

    private static func write(to directory: String) throws(CommandFailure) {
        for file in ManualPage.files {
            do throws(FileError) {
                try AtomicFile.replace(
                    "\(directory)/\(file.name)", with: Array(file.text.utf8), FileAttributes(mode: 0o644))
            } catch {
                throw CommandFailure(.other, "\(error)")
            }
        }
        Terminal.write("\(ManualPage.files.count) pages in \(directory)\n")
    }

    private static func show(_ text: String, _ invocation: Invocation) throws(CommandFailure) {
        let status = PrivateFile.with(text, named: "page", invocation.environment) { path in
            ForegroundProcess.run(["man", "-l", path], environment: invocation.environment)
        }
        guard status == 0 else {
            throw CommandFailure(.other, "man(1) is not installed, or failed; `cdev help` has the same text")
        }
    }
}
