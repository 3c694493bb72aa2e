/// Estimates whether a Bash line runs a given command. In a line that is not understood, a mere mention counts: a false
/// positive costs the person one more confirmation, a miss runs the command unconfirmed.
package enum CommandMention {
    /// The first word of the first command that begins with `word` (also as `/bin/word`), or `word` itself where
    /// another program gets it as an argument, or where the line is not understood and contains it as a word.
    package static func firstWord(of line: String, naming word: String) -> String? {
        // The splitter takes no longer lines.
        guard line.utf8.count <= ShellSplitter.limit else { return holds(line, word) ? word : nil }
        guard let commands = try? ShellSplitter.split(line) else { return glanced(line, word) }
        for command in commands {
            if base(command.name) == word { return command.name }
            let rest = command.words.dropFirst()
            if runners.contains(base(command.name)), rest.contains(where: { holds($0.value, word) }) { return word }
        }
        return nil
    }

    /// The first word of a line; nil unless it has only the characters of a plain command name.
    package static func firstWord(of line: String) -> String? {
        guard line.utf8.count <= ShellSplitter.limit else { return nil }
        let understood = try? ShellSplitter.split(line)
        let first = understood.map { $0.first?.name } ?? ShellGlance.commands(in: line).first?.first
        return first.flatMap { isPlain($0) ? $0 : nil }
    }

    private static func glanced(_ line: String, _ word: String) -> String? {
        let commands = ShellGlance.commands(in: line)
        if let found = commands.lazy.compactMap(\.first).first(where: { base($0) == word && isPlain($0) }) {
            return found
        }
        let isMentioned = holds(line, word) || commands.contains { $0.contains { holds($0, word) } }
        return isMentioned ? word : nil
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

    /// True if `text` contains `word` without a letter, a digit or `_` next to it.
    private static func holds(_ text: String, _ word: String) -> Bool {
        let text = Array(text.utf8)
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (0...(text.count - word.count)).contains { start in
            let end = start + word.count
            guard text[start] == word[0], text[start..<end].elementsEqual(word) else { return false }
            return (start == 0 || !isWordByte(text[start - 1])) && (end == text.count || !isWordByte(text[end]))
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || byte == UInt8(ascii: "_")
    }
}
