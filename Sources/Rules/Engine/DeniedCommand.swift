/// Brings a command into the forms in which it is compared with those that were denied.
enum DeniedCommand {
    /// The command as it stands, and as the programs in front of it would run it: `sudo env X=1 /usr/bin/git push` is
    /// also `git push`.
    /// - Returns: also whether these are all: false behind more programs than are looked through.
    static func readings(of words: [String]) -> (list: [[String]], areAll: Bool) {
        var readings = Readings()
        readings.add(words[...])
        if let filled = FilledPlaces.filled(words) { readings.add(filled[...]) }
        // The words with substitutions in them as if these were empty: `g$(x)it`.
        if words.contains(where: { $0.utf8.contains(UInt8(ascii: "$")) }) {
            let filled = words.map(ShellGlance.withoutSubstitutions)
            if filled != words { readings.add(filled.filter { !$0.isEmpty }[...]) }
            if let divided = DividedWords.divided(words) { readings.add(divided[...]) }
        }
        return (readings.list, readings.areAll)
    }

    /// The command without the programs in front that only run it.
    static func innermost(of words: [String]) -> ArraySlice<String> {
        var rest = words[...]
        for _ in 0..<mostRunners {
            rest = CommandPrefix.withoutTimeout(withoutVariables(rest))
            guard let next = behindRunner(rest) else { return rest }
            rest = next
        }
        return rest
    }

    private struct Readings {
        var list: [[String]] = []
        var areAll = true

        /// Adds the command and what it would run.
        /// - Parameter isOperand: true behind a program that takes operands of its own, for one place where a command
        ///   may begin there. What is behind a second such program is behind the first one, too.
        mutating func add(_ words: ArraySlice<String>, isOperand: Bool = false) {
            guard !words.isEmpty else { return }
            var rest = words
            list.append(canonical(Array(rest)))
            for step in 0...mostRunners {
                if let unknown = behindUnknown(rest) { list.append(unknown) }
                let command = CommandPrefix.withoutTimeout(withoutVariables(rest))
                let usual = canonical(Array(command))
                list += PackageScripts.commands(of: usual).map(canonical)
                list += Launchers.entries(of: usual).map(canonical)
                if !isOperand, !FileCheckers.includes(usual) { addOperands(of: usual) }
                guard let next = behindRunner(command) else { return }
                guard step < mostRunners else {
                    areAll = false
                    return
                }
                rest = next
                list.append(canonical(Array(rest)))
            }
        }

        /// Adds the commands among the operands of a program that runs them.
        private mutating func addOperands(of command: [String]) {
            for place in Launchers.places(in: command[...]) {
                let rest = command[place...]
                add(rest, isOperand: true)
                if let name = Launchers.program(ofPackage: command[place]) {
                    add(ArraySlice([name] + rest.dropFirst()), isOperand: true)
                }
            }
        }
    }

    /// The most programs in front of a command that are looked through.
    private static let mostRunners = 8

    /// The same command without the directory of its program, or without a program in front that only runs it.
    private static func behindRunner(_ words: ArraySlice<String>) -> ArraySlice<String>? {
        guard let name = words.first else { return nil }
        if let base = base(of: name) { return [base] + words.dropFirst() }
        guard let valued = runners[name] else { return nil }
        var rest = words.dropFirst()
        while let word = rest.first, word.utf8.first == UInt8(ascii: "-") {
            // `command -v git` only looks for git.
            if name == "command", word != "-p", word != "--" { return nil }
            rest = rest.dropFirst(CommandPrefix.takesNext(word, valued) ? 2 : 1)
            if word == "--" { break }
        }
        rest = rest.drop { takesVariables.contains(name) && isAssignment($0) }
        return rest.isEmpty ? nil : rest
    }

    /// The name of a program, without its directory.
    static func baseName(_ name: String) -> String { base(of: name) ?? name }

    /// The name of a program that is given by a path.
    private static func base(of name: String) -> String? {
        guard name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return name.split(separator: "/").last.map { String($0) }
    }

    /// The command that begins with a program which nobody can tell, since it is named by a variable, a substitution or a
    /// pattern. The program of `$DIR/git` is known.
    private static func behindUnknown(_ words: ArraySlice<String>) -> [String]? {
        guard let name = words.first else { return nil }
        let named = withoutVariables(words)
        // Nobody knows which of two variables is the program: both may be empty.
        guard named.startIndex == words.startIndex else { return [CommandWords.anyProgram] + named }
        guard mayExpand(name), name != "[", name != "[[", !hasKnownName(name) else { return nil }
        return [CommandWords.anyProgram] + words.dropFirst()
    }

    private static func mayExpand(_ word: String) -> Bool { word.utf8.contains { "$*?[".utf8.contains($0) } }

    /// True for a path whose last component has no expansion, whatever its directory is: `$DIR/git`, not `${GIT:-/bin/git}`.
    private static func hasKnownName(_ word: String) -> Bool {
        guard let sign = word.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let name = word.utf8[sign...].dropFirst()
        return !name.isEmpty && !name.contains { "$*?[}".utf8.contains($0) }
    }

    static func isAssignment(_ word: String) -> Bool {
        guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), sign > word.startIndex else { return false }
        return word.utf8[..<sign].allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    private static let takesVariables: Set<String> = ["doas", "env", "sudo"]

    /// Programs that run the command behind them, and those of their options whose value is the next word.
    private static let runners: [String: Set<String>] = [
        "-": [], "builtin": [], "caffeinate": ["-t", "-w"], "command": [], "doas": ["-C", "-u"],
        "env": ["--argv0", "--chdir", "--unset", "-C", "-P", "-a", "-u"], "eval": [], "exec": ["-a"],
        "ionice": ["--class", "--classdata", "-c", "-n"], "nice": ["--adjustment", "-n"], "noglob": [], "nohup": [],
        "setsid": [], "stdbuf": ["--error", "--input", "--output", "-e", "-i", "-o"],
        "sudo": [
            "--chdir", "--chroot", "--close-from", "--command-timeout", "--group", "--host", "--other-user", "--prompt",
            "--role", "--type",
            "--user", "-C", "-D", "-R", "-T", "-U", "-g", "-h", "-p", "-r", "-t", "-u",
        ],
        "time": ["--format", "--output", "-f", "-o"], "unbuffer": [],
        "xargs": [
            "--arg-file", "--delimiter", "--max-args", "--max-chars", "--max-procs", "--process-slot-var", "-E", "-I",
            "-J", "-L", "-P", "-R", "-S", "-a", "-d", "-n", "-s",
        ],
    ]

    private static func withoutVariables(_ words: ArraySlice<String>) -> ArraySlice<String> {
        let named = words.drop { $0.utf8.first == UInt8(ascii: "$") && !hasKnownName($0) }
        return named.isEmpty ? words : named
    }

    /// Removes variables in front, which may be empty, `timeout` and the options between `git` and its subcommand, writes
    /// `[ … ]` as `test`, and gives programs and subcommands their usual names.
    static func canonical(_ words: [String]) -> [String] {
        var rest = CommandPrefix.withoutTimeout(withoutVariables(words[...]))
        if rest.first == "[" { return ["test"] + rest.dropFirst() }
        guard rest.first == "git" else { return CommandAliases.usual(rest) }
        rest.removeFirst()
        while let word = rest.first, word.hasPrefix("-") {
            rest.removeFirst()
            if valuesOfGit.contains(word) { _ = rest.popFirst() }
        }
        return CommandAliases.usual(["git"] + rest)
    }

    /// Options before git's subcommand whose value is the next word.
    private static let valuesOfGit: Set<String> = [
        "--attr-source", "--config-env", "--git-dir", "--namespace", "--shallow-file", "--super-prefix", "--work-tree",
        "-C", "-c",
    ]

    /// Options of common programs whose value is the next word.
    static let valued: Set<String> = [
        "--cluster", "--config", "--context", "--cwd", "--dir", "--directory", "--env-file", "--file", "--filter",
        "--host", "--kubeconfig", "--manifest-path", "--message", "--namespace", "--prefix", "--profile", "--project",
        "--project-directory", "--project-name", "--registry", "--repo", "--target", "--user", "--workspace", "-C",
        "-F", "-H", "-R", "-U", "-c", "-f", "-h", "-m", "-n", "-o", "-p", "-w",
    ]
}
