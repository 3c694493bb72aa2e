/// Programs that take several targets, in any order: `make clean deploy`.
enum Targets {
    /// - Parameter name: as `CommandAliases.usual` returns it.
    static func areTaken(by name: String) -> Bool { programs.contains(name) }

    private static let programs: Set<String> = [
        "ant", "cmake", "doit", "gradle", "inv", "invoke", "just", "make", "mvn", "ninja", "rake", "redo", "sbt",
        "scons",
        "task", "waf",
    ]

    /// The target that a word names: `././deploy` is make's `deploy`, `:app:publish` a part of gradle's `publish`, and
    /// `deploy:deploy` the goal that Maven runs for `deploy`.
    static func target(of word: String, for program: String) -> String {
        switch program {
        case "gradle", "mvn":
            guard let sign = word.utf8.lastIndex(of: UInt8(ascii: ":")) else { return word }
            return String(word[word.utf8.index(after: sign)...])
        case "make":
            let goal =
                word.utf8.starts(with: defaultGoal.utf8) ? word.utf8.dropFirst(defaultGoal.utf8.count) : word.utf8[...]
            return plainPath(String(Substring(goal)))
        default: return plainPath(word)
        }
    }

    /// The variable whose value make builds where its arguments name no target.
    private static let defaultGoal = ".DEFAULT_GOAL="

    private static func plainPath(_ word: String) -> String {
        guard word.utf8.contains(UInt8(ascii: "/")), !PathText.isAbsolute(word), !PathText.holdsParent(word),
            word.utf8.count < DiskLookups.longestPath
        else { return word }
        return String(PathText.normalize(word, from: "").unicodeScalars.dropFirst())
    }

    /// The targets that a command names, and those that Maven builds before them.
    /// - Parameter command: as `CommandAliases.usual` returns it.
    static func all(in command: [String]) -> Set<String> {
        let named = Set(command.dropFirst().map { target(of: $0, for: command[0]) })
        guard command[0] == "mvn" else { return named }
        let skipsTests = command.contains { word in skippingTests.contains { word.utf8.starts(with: $0.utf8) } }
        return lifecycles.reduce(into: named) { all, phases in
            guard let last = phases.lastIndex(where: named.contains) else { return }
            all.formUnion(phases[...last].filter { named.contains($0) || !skipsTests || !ofTests.contains($0) })
        }
    }

    /// True if gradle may take a word for a task: it names each part of the task's name, as it is divided by capitals, by its
    /// beginning (Gradle's user guide, "Name abbreviation"). Of names with whole parts only, `test` for `testRelease`, gradle
    /// takes the task of that name.
    static func abbreviates(_ word: String, _ task: String) -> Bool {
        guard word.utf8.first == task.utf8.first, word.utf8.count < task.utf8.count else { return false }
        let (given, wanted) = (parts(of: word), parts(of: task))
        let pairs = zip(given, wanted)
        return given.count <= wanted.count && pairs.allSatisfy { $1.starts(with: $0) }
            && !pairs.allSatisfy { $0.elementsEqual($1) }
    }

    private static func parts(of name: String) -> [Substring.UTF8View] {
        var parts: [Substring.UTF8View] = []
        var start = name.utf8.startIndex
        for place in name.utf8.indices.dropFirst()
        where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(name.utf8[place]) {
            parts.append(name.utf8[start..<place])
            start = place
        }
        return parts + [name.utf8[start...]]
    }

    /// The phases that Maven runs one behind another, up to the one that is named ("Introduction to the Build Lifecycle").
    private static let lifecycles = [
        """
        validate initialize generate-sources process-sources generate-resources process-resources compile process-classes \
        generate-test-sources process-test-sources generate-test-resources process-test-resources test-compile \
        process-test-classes test prepare-package package pre-integration-test integration-test post-integration-test verify \
        install deploy
        """, "pre-clean clean post-clean", "pre-site site post-site site-deploy",
    ].map { $0.split(separator: " ").map(String.init) }

    private static let ofTests: Set<String> = ["integration-test", "test", "test-compile"]
    private static let skippingTests = ["-DskipITs", "-DskipTests", "-Dmaven.test.skip"]

    /// The words with one spelling of the option that names targets.
    static func usualOfCMake(_ words: [String]) -> [String] {
        words.flatMap { word in
            if word == "-t" { return ["--target"] }
            return word.isOption("--target") ? ["--target", String(word.unicodeScalars.dropFirst(9))] : [word]
        }
    }
}
