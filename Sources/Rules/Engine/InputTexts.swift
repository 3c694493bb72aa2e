/// The texts that commands of a line read, or take from variables, and may run: `sh <<< 'git push'`, `x='git push'; $x`.
enum InputTexts {
    static func texts(in reading: ShellGlance.Reading) -> [TextOperands.Text] {
        let runsInput = reading.commands.contains(where: runsInput)
        let runsVariable = reading.commands.contains(where: runsVariable)
        var texts: [TextOperands.Text] = []
        for input in reading.inputs {
            switch input.kind {
            case .document:
                let isCertain = runsDocument(input.command)
                let isHarmless = input.command.isEmpty || isHarmless(input.command) && !readsScript(input.command)
                let isKept = runsVariable && keepsInput(input.command)
                guard isCertain || runsInput || isKept || !isHarmless else { continue }
                texts.append(TextOperands.Text(line: input.text, isCertain: isCertain))
            case .variable where !input.command.isEmpty || runsVariable:
                texts.append(TextOperands.Text(line: input.text, isCertain: false))
            case .variable, .file, .setting: continue
            }
        }
        // Another command may print or keep the text that a shell reads: `echo 'git push' | sh`, `set -- 'git push'; $1`.
        for command in reading.commands where runsInput || runsVariable && setting.contains(command[0]) {
            guard isHarmless(command) else { continue }
            let words = command.dropFirst().drop { $0.utf8.first == UInt8(ascii: "-") }
            texts += [TextOperands.Text(line: words.joined(separator: " "), isCertain: false)]
            texts += words.dropFirst().flatMap { TextOperands.texts(of: $0, isCertain: false) }
        }
        return texts
    }

    private static func isHarmless(_ command: [String]) -> Bool {
        Launchers.takesText(DeniedCommand.baseName(DeniedCommand.innermost(of: command).first ?? ""))
    }

    /// Texts of which nobody knows what the program does that reads them.
    static func unknown(_ inputs: [ShellGlance.Input]) -> [(command: [String], text: String)] {
        inputs.filter { input in
            input.kind == .document && !input.command.isEmpty && !LanguageTexts.knows(input.command)
                && !input.command.contains { readers.contains(DeniedCommand.baseName($0)) }
                && (!isHarmless(input.command) || readsScript(input.command))
        }.map { ($0.command, $0.text) }
    }

    /// True for make, sed and awk with their input for a script: `-f -`.
    static func readsScript(_ command: [String]) -> Bool {
        let reads = { (word: String) in word == "-" || word == "/dev/stdin" }
        return command.contains("-f-")
            || zip(command, command.dropFirst()).contains { options.contains($0) && reads($1) }
            || command.contains { word in options.contains { word.isOption($0) } && word.utf8.last == UInt8(ascii: "-")
            }
    }

    private static let options: Set<String> = ["--file", "--makefile", "-f"]

    /// True if a shell that the command names may read lines.
    private static func runsDocument(_ command: [String]) -> Bool {
        command.contains { readers.contains(DeniedCommand.baseName($0)) } && !isHarmless(command)
    }

    /// True if a variable keeps what the command reads.
    private static func keepsInput(_ command: [String]) -> Bool {
        command.first.map { ["mapfile", "read", "readarray"].contains($0) } ?? false
    }

    /// True for a shell without a script, or with the output of other commands for one: `bash <(echo ls)`.
    private static func runsInput(_ command: [String]) -> Bool {
        guard let place = command.lastIndex(where: { readers.contains(DeniedCommand.baseName($0)) }),
            !isHarmless(command)
        else { return false }
        if others.contains(DeniedCommand.baseName(command[place])) { return true }
        return command[place...].dropFirst().allSatisfy {
            $0.utf8.first == UInt8(ascii: "-") && $0 != "-c" || $0 == "/dev/stdin"
                || $0 == ShellGlance.file
        }
            || command.contains("-s") || command[place...].last == "-"
    }

    /// True if what a variable holds is run, or may be.
    private static func runsVariable(_ command: [String]) -> Bool {
        if command.first?.utf8.first == UInt8(ascii: "$") { return true }
        return command.contains(where: Launchers.evaluatesAll)
            && command.contains { $0.utf8.contains(UInt8(ascii: "$")) }
    }

    /// True for a shell, and for what has one run a file.
    static func isShell(_ name: String) -> Bool { shells.contains(name) || name == "." || name == "source" }

    private static let shells: Set<String> = [
        "ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "loksh", "mksh", "nu", "oksh", "osh", "pwsh", "rbash",
        "sh",
        "tcsh", "yash", "ysh", "zsh",
    ]
    /// Programs that hand what they read to a shell, whatever their operands.
    private static let others: Set<String> = ["at", "batch", "crontab", "parallel", "ssh", "su"]
    private static let readers = shells.union(others).union([".", "source"])
    /// Commands that keep texts, which a variable may name.
    private static let setting: Set<String> = [
        "declare", "export", "for", "local", "printf", "readonly", "select", "set", "typeset",
    ]
}
