/// Programs that take several targets, in any order: `make clean deploy`.
enum Targets {
    /// - Parameter name: as `CommandAliases.usual` returns it.
    static func areTaken(by name: String) -> Bool { programs.contains(name) }

    private static let programs: Set<String> = [
        "ant", "cmake", "doit", "gradle", "inv", "invoke", "just", "make", "mvn", "ninja", "rake", "redo", "sbt",
        "scons",
        "task", "waf",
    ]

    /// The target that a word names: `./deploy` is make's `deploy`, and `:app:publish` is a part of gradle's `publish`.
    static func target(of word: String, for program: String) -> String {
        if program == "gradle", let sign = word.utf8.lastIndex(of: UInt8(ascii: ":")) {
            return String(word[word.utf8.index(after: sign)...])
        }
        return word.utf8.starts(with: "./".utf8) ? String(word.unicodeScalars.dropFirst(2)) : word
    }

    /// - Parameter command: as `CommandAliases.usual` returns it.
    static func all(in command: [String]) -> Set<String> {
        Set(command.dropFirst().map { target(of: $0, for: command[0]) })
    }

    /// The words with one spelling of the option that names targets.
    static func usualOfCMake(_ words: [String]) -> [String] {
        words.flatMap { word in
            if word == "-t" { return ["--target"] }
            return word.isOption("--target") ? ["--target", String(word.unicodeScalars.dropFirst(9))] : [word]
        }
    }
}
