import OrderedJSON
import Text

/// Tells our entries from everybody else's.
enum SettingsEntry {
    /// A key of our groups. Claude Code removes it when it rewrites the file, so nothing depends on it alone.
    static let marker = "_cdev_managed"

    /// A shell comment at the end of each of our commands: it survives every rewriting.
    static let suffix = " # cdev"

    /// Ours runs one of our scripts, from whatever path, and ends in our comment. Without the comment, as early versions wrote
    /// it (`…/.cdev/hooks/forward.sh session`), it has to stand in a group with our marker.
    static func isOurs(_ entry: JSON, inMarkedGroup isMarked: Bool) -> Bool {
        guard let command = entry["command"]?.stringValue.map(trimmed) else { return false }
        if command.utf8.reversed().starts(with: suffix.utf8.reversed()) {
            return script(of: trimmed(String(command.dropLast(suffix.count)))) != nil
        }
        return isMarked && isOfEarlyVersion(entry)
    }

    /// An entry as early versions wrote it: the script in `.cdev/hooks`, with no comment behind it.
    static func isOfEarlyVersion(_ entry: JSON) -> Bool {
        guard let command = entry["command"]?.stringValue.map(trimmed), let script = script(of: command) else {
            return false
        }
        return command.holds("/.cdev/hooks/" + script.rawValue)
    }

    /// Which of our scripts a command runs, directly, in the shell's place or through another shell.
    static func script(of command: String) -> InstallScript? {
        var words = shellWords(command)
        if words.first == "exec" { words.removeFirst() }
        let program = words.first.map(lastComponent)
        let shells: Set<Substring> = ["bash", "dash", "sh", "zsh"]
        let candidate = program.map(shells.contains) == true ? words.dropFirst().first.map(lastComponent) : program
        return candidate.flatMap { InstallScript(rawValue: String($0)) } ?? scriptAtUnquotedPath(command)
    }

    /// Early versions did not quote, though the path may have spaces.
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

    /// The first words of a command with their quotes taken off; what cannot be read ends the list.
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
