/// Brings a command into the forms in which it is compared with those that were denied.
enum DeniedCommand {
    /// The command as it stands, and as the programs in front of it would run it: `sudo env X=1 /usr/bin/git push` is
    /// also `git push`.
    static func readings(of words: [String]) -> [[String]] {
        var rest = words[...]
        var readings = [canonical(words)]
        for _ in 0..<mostRunners {
            guard let next = behindRunner(CommandPrefix.withoutTimeout(withoutVariables(rest))) else { break }
            rest = next
            readings.append(canonical(Array(rest)))
        }
        return readings
    }

    /// The most programs in front of a command that are looked through.
    private static let mostRunners = 8

    /// The same command without the directory of its program, or without a program in front that only runs it.
    private static func behindRunner(_ words: ArraySlice<String>) -> ArraySlice<String>? {
        guard let name = words.first else { return nil }
        if name.utf8.first == UInt8(ascii: "/"), let base = name.split(separator: "/").last {
            return [String(base)] + words.dropFirst()
        }
        guard let valued = runners[name] else { return nil }
        var rest = words.dropFirst()
        while let word = rest.first, word.utf8.first == UInt8(ascii: "-") {
            // `command -v git` only looks for git.
            if name == "command", word != "-p", word != "--" { return nil }
            rest = rest.dropFirst(valued.contains(word) ? 2 : 1)
            if word == "--" { break }
        }
        rest = rest.drop { takesVariables.contains(name) && isAssignment($0) }
        return rest.isEmpty ? nil : rest
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), sign > word.startIndex else { return false }
        return word.utf8[..<sign].allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    private static let takesVariables: Set<String> = ["doas", "env", "sudo"]

    /// Programs that run the command behind them, and those of their options whose value is the next word.
    private static let runners: [String: Set<String>] = [
        "-": [], "builtin": [], "caffeinate": ["-t", "-w"], "command": [], "doas": ["-C", "-u"],
        "env": ["--chdir", "--unset", "-C", "-P", "-u"], "eval": [], "exec": ["-a"],
        "ionice": ["--class", "--classdata", "-c", "-n"], "nice": ["--adjustment", "-n"], "noglob": [], "nohup": [],
        "setsid": [], "stdbuf": ["--error", "--input", "--output", "-e", "-i", "-o"],
        "sudo": [
            "--chdir", "--chroot", "--close-from", "--group", "--host", "--other-user", "--prompt", "--role", "--type",
            "--user", "-C", "-D", "-R", "-T", "-U", "-g", "-h", "-p", "-r", "-t", "-u",
        ],
        "time": ["--format", "--output", "-f", "-o"], "unbuffer": [],
        "xargs": [
            "--arg-file", "--delimiter", "--max-args", "--max-lines", "--max-procs", "--replace", "-E", "-I", "-L",
            "-P", "-a", "-d", "-n", "-s",
        ],
    ]

    private static func withoutVariables(_ words: ArraySlice<String>) -> ArraySlice<String> {
        let named = words.drop { $0.utf8.first == UInt8(ascii: "$") }
        return named.isEmpty ? words : named
    }

    /// Removes variables in front, which may be empty, `timeout` and the options between `git` and its subcommand, and
    /// writes `[ … ]` as `test`.
    static func canonical(_ words: [String]) -> [String] {
        var rest = CommandPrefix.withoutTimeout(withoutVariables(words[...]))
        if rest.first == "[" { return ["test"] + rest.dropFirst() }
        guard rest.first == "git" else { return Array(rest) }
        rest.removeFirst()
        while let word = rest.first, word.hasPrefix("-") {
            rest.removeFirst()
            if valuesOfGit.contains(word) { _ = rest.popFirst() }
        }
        return ["git"] + rest
    }

    /// Options before git's subcommand whose value is the next word.
    private static let valuesOfGit: Set<String> = [
        "--attr-source", "--config-env", "--git-dir", "--namespace", "--work-tree", "-C", "-c",
    ]

    /// Options of common programs whose value is the next word.
    static let valued: Set<String> = [
        "--cluster", "--config", "--context", "--cwd", "--dir", "--directory", "--env-file", "--file", "--filter",
        "--host", "--kubeconfig", "--manifest-path", "--message", "--namespace", "--prefix", "--profile", "--project",
        "--project-directory", "--project-name", "--registry", "--repo", "--target", "--user", "--workspace", "-C",
        "-F", "-H", "-R", "-U", "-c", "-f", "-h", "-m", "-n", "-o", "-p", "-w",
    ]
}
