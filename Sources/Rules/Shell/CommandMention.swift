/// Estimates whether a Bash line runs a given command. In a line that is not understood, a mere mention counts: a false
/// positive costs the person one more confirmation, a miss runs the command unconfirmed.
package enum CommandMention {
    /// For the first of `words` that the line runs: the first word of the first command that begins with it (also as
    /// `/bin/word`), or the word itself where another program gets it as an argument, or where the line is not
    /// understood and contains it as a word. The line is read once, however many words there are.
    package static func firstWord(of line: String, naming words: [String]) -> String? {
        guard !words.isEmpty else { return nil }
        var search = WordSearch(words)
        // The splitter takes no longer lines.
        guard line.utf8.count <= ShellSplitter.limit else {
            search.look(in: line, at: 0)
            return search.first
        }
        guard let commands = try? ShellSplitter.split(line) else { return glanced(line, &search) }
        for (place, command) in commands.enumerated() {
            let name = base(command.name)
            search.note(name: name, spelled: command.name, at: place)
            guard runners.contains(name) || launches(command, by: name) else { continue }
            for word in command.words.dropFirst() { search.look(in: word.value, at: place) }
        }
        return search.first
    }

    /// The first word of a line; nil unless it has only the characters of a plain command name.
    package static func firstWord(of line: String) -> String? {
        guard line.utf8.count <= ShellSplitter.limit else { return nil }
        let understood = try? ShellSplitter.split(line)
        let first = understood.map { $0.first?.name } ?? glanced(line).first?.first
        return first.flatMap { isPlain($0) ? $0 : nil }
    }

    /// In a line that is not understood, the name of a command counts before a mention, wherever they are.
    private static func glanced(_ line: String, _ search: inout WordSearch) -> String? {
        search.look(in: line, at: 1)
        for command in glanced(line) {
            if let name = command.first, isPlain(name) { search.note(name: base(name), spelled: name, at: 0) }
            for word in command { search.look(in: word, at: 1) }
        }
        return search.first
    }

    /// The commands without the substitutions in front of them, which may be empty.
    private static func glanced(_ line: String) -> [[String]] {
        ShellGlance.commands(in: line).map { Array($0.drop { $0 == ShellGlance.substituted }) }.filter { !$0.isEmpty }
    }

    /// True for a command that deny rules know to run one of its operands.
    private static func launches(_ command: SimpleCommand, by name: String) -> Bool {
        let words = [name] + command.words.dropFirst().map(\.value)
        return !Launchers.places(in: DeniedCommand.canonical(words)[...]).isEmpty
    }

    /// Programs that run what their arguments name. The list is not complete: a command that is hidden on purpose is
    /// missed.
    private static let runners: Set<String> = [
        "ash", "bash", "builtin", "bun", "bundle", "bunx", "busybox", "bwrap", "caffeinate", "chroot", "chrt",
        "command", "conda", "corepack", "csh", "dash", "dbus-run-session", "direnv", "doas", "docker", "entr", "env",
        "eval", "exec", "fakeroot", "fd", "find", "firejail", "fish", "flock", "gosu", "hatch", "hyperfine", "ionice",
        "ksh", "kubectl", "ltrace", "mise", "mksh", "mosh", "nerdctl", "nice", "nix", "nix-shell", "nohup", "npm",
        "npx", "nsenter", "numactl", "oc", "parallel", "pdm", "pipenv", "pipx", "pkexec", "pnpm", "pnpx", "podman",
        "poetry", "prlimit", "proot", "rbash", "run0", "runuser", "screen", "script", "setarch", "setpriv", "setsid",
        "sg", "sh", "ssh", "sshpass", "stdbuf", "strace", "su", "su-exec", "sudo", "systemd-run", "taskset", "tcsh",
        "time", "timeout", "tmux", "toybox", "trap", "unbuffer", "unshare", "uv", "uvx", "watch", "watchexec", "xargs",
        "xvfb-run", "yarn", "zsh",
    ]

    private static func base(_ word: String) -> String {
        word.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(word[word.utf8.index(after: $0)...]) } ?? word
    }

    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.count <= 64 && word.utf8.allSatisfy(ShellCharacters.isFirstWord)
    }
}
