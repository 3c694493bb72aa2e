import Text

/// The arguments that only select tests, for a script whose name says that it runs tests.
///
/// The runner is not known, so other words may mean another thing to it, and so may the value of an option that it takes
/// for a flag.
enum TestArguments {
    /// Options whose value is the next word, a part of a test's name.
    private static let names: Set<String> = ["-t", "--grep", "--testNamePattern"]
    /// Options with an attached value, a part of a test's name or path.
    private static let attached = ["--grep", "--testNamePattern", "--testPathPattern", "--testPathPatterns"]

    static func takesName(_ option: String) -> Bool { names.contains(option) }

    /// True if a word can only select tests: the name of a test file, or several words after an option for a test's
    /// name (`reads numbers`).
    static func isFree(_ word: String, behind option: String?) -> Bool {
        if let option, takesName(option) {
            return word.utf8.contains(0x20) && word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == 0x20 }
        }
        if let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), attached.contains(String(word[..<sign])) {
            return word.utf8[word.utf8.index(after: sign)...].allSatisfy(ShellCharacters.isFirstWord)
        }
        // After another option the word may name that option's output file.
        guard option == nil || option == "--" || option?.utf8.first != UInt8(ascii: "-") else { return false }
        guard word.utf8.first != UInt8(ascii: "-"), word.utf8.allSatisfy({ ShellCharacters.isFirstWord($0) }) else {
            return false
        }
        return isTestFile(SensitiveNames.folded(PathText.components(word).last ?? Substring(word).utf8))
    }

    /// True if a file is a test by its name.
    /// - Parameter name: case-folded.
    static func isTestFile(_ name: [UInt8]) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return [".spec.", ".test.", "_spec.", "_test."].contains { name.holds($0) }
            || name.hasPrefix("test_") && name.utf8.contains(UInt8(ascii: "."))
    }

    /// True if a script's name, up to a colon, says that it runs tests: `test:unit`.
    static func isScript(_ name: String) -> Bool {
        scripts.contains(String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ":") })))
    }

    private static let scripts: Set<String> = ["jest", "spec", "test", "tests", "unit", "vitest"]
}
