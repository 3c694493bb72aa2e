/// Rewrites equivalent spellings of a command to the one that the table has.
enum OtherSpellings {
    /// `cargo fmt … -- --check` becomes `cargo fmt --check …`, `mvn -q test` becomes `mvn test -q`, `npm run test` becomes
    /// `npm test`. Other commands are returned unchanged.
    static func usual(_ words: [ShellWord]) -> [ShellWord] {
        guard words.count > 1 else { return words }
        switch words[0].unquoted {
        case "cargo" where words[1].unquoted == "fmt": return format(words)
        case "mvn": return flagsLast(words)
        case "npm", "pnpm", "yarn": return script(words)
        default: return words
        }
    }

    /// Leaves out the `run` in front of a script that the program runs also without, and writes out short names. Only those
    /// count here that mean the same in every version; `CommandAliases` has all that a deny may mean.
    private static func script(_ words: [ShellWord]) -> [ShellWord] {
        let program = words[0].unquoted
        switch words[1].unquoted {
        case "run" where words.count > 2 && isOwnCommand(words[2].unquoted, of: program):
            return [words[0]] + words.dropFirst(2)
        case "run-script" where program != "yarn": return script([words[0], ShellWord("run")] + words.dropFirst(2))
        case "t" where program != "yarn", "tst" where program != "yarn":
            return [words[0], ShellWord("test")] + words.dropFirst(2)
        default: return words
        }
    }

    /// True for scripts that have rows of their own.
    private static func isOwnCommand(_ script: String, of program: String) -> Bool {
        switch script {
        case "test": true
        case "build", "format", "lint", "typecheck": program != "npm"
        default: false
        }
    }

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
