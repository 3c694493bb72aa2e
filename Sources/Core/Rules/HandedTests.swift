/// What may be handed to a script that runs tests and say no more than which of them, and how that is shown.
enum HandedTests {
    /// Options of jest, vitest, mocha, playwright, pytest, rspec and others.
    private static let options: Set<String> = Set(
        """
        -g -i -k -t -u -v --bail --ci --color --coverage --detectOpenHandles --failfast --filter --forceExit --grep --headed \
        --maxfail --maxWorkers --no-color --no-coverage --no-watch --passWithNoTests --quiet --retries --run --runInBand \
        --shard --silent --testNamePattern --testPathPattern --testPathPatterns --tests --timeout --update --updateSnapshot \
        --verbose --watch --watchAll --workers
        """.split(separator: " ").map(String.init))
    /// The next word is the name of a test, or a part of one.
    private static let names: Set<String> = [
        "-g", "-k", "-t", "--filter", "--grep", "--testNamePattern", "--testPathPattern", "--testPathPatterns",
        "--tests",
    ]

    static func isName(of option: String) -> Bool { names.contains(option) }

    /// One of the options, also with a value; or a file of tests by its name.
    static func isFree(_ word: String) -> Bool {
        guard word.utf8.first != UInt8(ascii: "-") else {
            return options.contains(String(Substring(word.utf8.prefix { $0 != UInt8(ascii: "=") })))
        }
        guard !word.utf8.contains(where: { " :=".utf8.contains($0) }) else { return false }
        let name = String(
            decoding: SensitiveNames.folded(PathText.components(word).last ?? Substring(word).utf8), as: UTF8.self)
        return [".spec.", ".test.", "_spec.", "_test."].contains { name.holds($0) } || name.hasPrefix("test_")
    }
}
