/// Rewrites equivalent spellings of a command to the one that the table has.
enum OtherSpellings {
    /// `cargo fmt … -- --check` becomes `cargo fmt --check …`, `mvn -q test` becomes `mvn test -q`. Other commands are
    /// returned unchanged.
    static func usual(_ words: [ShellWord]) -> [ShellWord] {
        guard words.count > 2 else { return words }
        if words[0].unquoted == "cargo", words[1].unquoted == "fmt" { return format(words) }
        return words[0].unquoted == "mvn" ? flagsLast(words) : words
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
