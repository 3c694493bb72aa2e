import OrderedJSON
import Text

/// Tells our entries from others.
enum SettingsEntry {
    /// A key of our groups. Claude Code removes it when it rewrites the file, so nothing depends on it alone.
    static let marker = "_cdev_managed"

    /// A shell comment at the end of each of our commands. It stays when the file is rewritten.
    static let suffix = " # cdev"

    /// True if the entry is ours: it runs one of our scripts, at any path, and ends in our comment. An entry without
    /// the comment, as early versions wrote it (`…/.cdev/hooks/forward.sh session`), is ours only in a group with our
    /// marker.
    static func isOurs(_ entry: JSON, inMarkedGroup isMarked: Bool) -> Bool {
        guard let command = entry["command"]?.stringValue.map(trimmed) else { return false }
        if command.utf8.reversed().starts(with: suffix.utf8.reversed()) {
            return script(of: trimmed(String(command.dropLast(suffix.count)))) != nil
        }
        return isMarked && isOfEarlyVersion(entry)
    }

    /// True for an entry of an early version: it runs a script in `.cdev/hooks`, without our comment.
    static func isOfEarlyVersion(_ entry: JSON) -> Bool {
        guard let command = entry["command"]?.stringValue.map(trimmed), let script = script(of: command) else {
            return false
        }
        return command.holds("/.cdev/hooks/" + script.rawValue)
    }

    /// The script of ours that a command runs: directly, with `exec`, or as the argument of a shell.
    static func script(of command: String) -> InstallScript? {
        var words = shellWords(command)
        if words.first == "exec" { words.removeFirst() }
        let program = words.first.map(lastComponent)
        let shells: Set<Substring> = ["bash", "dash", "sh", "zsh"]
        let candidate = program.map(shells.contains) == true ? words.dropFirst().first.map(lastComponent) : program
        return candidate.flatMap { InstallScript(rawValue: String($0)) } ?? scriptAtUnquotedPath(command)
    }

    /// Early versions did not quote the path, which may have spaces.
    private static func scriptAtUnquotedPath(_ command: String) -> InstallScript? {
        guard command.hasPrefix("/") else { return nil }
        return InstallScript.allCases.first { script in
            guard let range = command.firstPlace(of: "/" + script.rawValue) else { return false }
            let path = command[..<range.lowerBound]
            let end = command[range.upperBound...].first
            return (end == nil || end == " ") && !path.contains { "'\"\\;|&<>$`(){}#\n".contains($0) }
        }
    }

    private static func lastComponent(_ word: String) -> Substring {
        word.split(separator: "/").last ?? ""
    }

    private static func trimmed(_ text: String) -> String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r\n", "\r"]
        let start = text.drop { blanks.contains($0) }
        let end = start.lastIndex { !blanks.contains($0) }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// The words of a simple command, unquoted; the list ends at the first part that is not a plain word.
    private static func shellWords(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = command[...]
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t":
                if let finished = word { words.append(finished) }
                word = nil
            case "'", "\"":
                guard let end = rest.firstIndex(of: character) else { return words }
                word = (word ?? "") + rest[..<end]
                rest = rest[rest.index(after: end)...]
            case "\\":
                guard let escaped = rest.popFirst() else { return words }
                word = (word ?? "") + String(escaped)
            case ";", "|", "&", "<", ">", "(", ")", "\n", "`":
                return words + (word.map { [$0] } ?? [])
            default:
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
