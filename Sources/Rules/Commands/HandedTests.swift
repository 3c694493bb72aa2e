import Text

/// What may be handed to a script whose name says that it runs tests, and say no more than which.
///
/// Which runner it is, is not asked: another word may mean another thing to it, and so may the value of an option that it takes
/// for a flag.
enum HandedTests {
    /// The next word is a part of a test's name.
    private static let names: Set<String> = ["-t", "--grep", "--testNamePattern"]
    /// The same with the value attached.
    private static let attached = ["--grep", "--testNamePattern", "--testPathPattern", "--testPathPatterns"]

    static func takesName(_ option: String) -> Bool { names.contains(option) }

    /// A file of tests by its name; or behind an option for it what can be nothing else, `reads numbers`.
    static func isFree(_ word: String, behind option: String?) -> Bool {
        if let option, takesName(option) {
            return word.utf8.contains(0x20) && word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == 0x20 }
        }
        if let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), attached.contains(String(word[..<sign])) {
            return word.utf8[word.utf8.index(after: sign)...].allSatisfy(ShellCharacters.isFirstWord)
        }
        // Behind an option it may be what that one writes to.
        guard option == nil || option == "--" || option?.utf8.first != UInt8(ascii: "-") else { return false }
        guard word.utf8.first != UInt8(ascii: "-"), word.utf8.allSatisfy({ ShellCharacters.isFirstWord($0) }) else {
            return false
        }
        return isTestFile(SensitiveNames.folded(PathText.components(word).last ?? Substring(word).utf8))
    }

    /// - Parameter name: of a file, without case.
    static func isTestFile(_ name: [UInt8]) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return [".spec.", ".test.", "_spec.", "_test."].contains { name.holds($0) }
            || name.hasPrefix("test_") && name.utf8.contains(UInt8(ascii: "."))
    }

    /// A script runs tests by its name up to a colon: `test:unit`.
    static func isScript(_ name: String) -> Bool {
        scripts.contains(String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ":") })))
    }

    private static let scripts: Set<String> = ["jest", "spec", "test", "tests", "unit", "vitest"]
}
