/// Rewrites equivalent spellings of a command to the one that the table has.
enum OtherSpellings {
    /// `cargo fmt … -- --check` becomes `cargo fmt --check …`, `mvn -q test` becomes `mvn test -q`, `npm run test` becomes
    /// `npm test`. Other commands are returned unchanged.
    static func usual(_ words: [ShellWord]) -> [ShellWord] {
        guard words.count > 1 else { return words }
        switch words[0].unquoted {
        case "cargo" where words[1].unquoted == "fmt": return format(words)
        case "mvn": return flagsLast(words)
        case "npm": return script(words, known: ["test"])
        case "pnpm", "yarn": return script(words, known: ["build", "format", "lint", "test", "typecheck"])
        default: return words
        }
    }

    /// Leaves out the `run` in front of a script that the program runs also without, and writes out short names.
    /// - Parameter known: those that have rows of their own.
    private static func script(_ words: [ShellWord], known: Set<String>) -> [ShellWord] {
        let names = words[0].unquoted == "yarn" ? [:] : subcommands
        var words = words
        if let name = names[words[1].unquoted] { words[1] = ShellWord(name) }
        if words[1].unquoted == "run", words.count > 2, known.contains(words[2].unquoted) { words.remove(at: 1) }
        return words
    }

    private static let subcommands = ["run-script": "run", "t": "test", "tst": "test"]

    /// The words after `--` go to rustfmt; `cargo fmt --check` passes the same option.
    private static func format(_ words: [ShellWord]) -> [ShellWord] {
        guard words.suffix(2).map(\.unquoted) == ["--", "--check"], words.count(where: { $0.value == "--" }) == 1 else {
            return words
        }
        return [words[0], words[1], words[words.count - 1]] + words[2..<(words.count - 2)]
    }

    /// Flags without a value that Maven accepts in any position.
    private static let flags: Set<String> = [
        "-q", "-B", "-e", "-o", "--quiet", "--batch-mode", "--errors", "--offline",
    ]

    private static func flagsLast(_ words: [ShellWord]) -> [ShellWord] {
        let first = words.dropFirst().prefix { flags.contains($0.unquoted) }
        return [words[0]] + words[first.endIndex...] + first
    }
}
