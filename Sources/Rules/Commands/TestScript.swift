import OrderedJSON
import Text

/// A script of package.json that is named as one that runs tests.
///
/// npm, pnpm, yarn and bun append what they are handed to the script's text, so its last command gets it. That one may delete
/// files: `mocha && rm -rf tmp`.
enum TestScript {
    /// False where another program than a known runner of tests may be handed the name of a file; true also where there is no
    /// such script, as nothing runs then.
    ///
    /// - Parameter manager: the program that runs the script.
    static func takesFiles(_ name: String, of manager: String?, at place: Place) -> Bool {
        let disk = place.root.disk
        var directory = place.resolved.path
        while true {
            for manifest in ["package.json", "package.json5", "package.yaml"] {
                let path = PathText.join(directory, manifest)
                guard disk.kind(of: path) != .missing else { continue }
                // Only pnpm reads the other two.
                guard manifest == "package.json", let text = disk.text(of: path, limit: DiskLookups.longestManifest)
                else {
                    return false
                }
                // npm may run the script of each workspace instead, yarn that of another directory.
                let isElsewhere = [(".npmrc", "workspace"), (".yarnrc", "cwd")].contains { file, word in
                    disk.text(of: PathText.join(directory, file), limit: DiskLookups.longestManifest)?.holds(word)
                        == true
                }
                return !isElsewhere && takesFiles(name, of: manager, in: text)
            }
            if PathText.same(directory, "/") { return true }
            directory = PathText.directory(of: directory)
        }
    }

    private static func takesFiles(_ name: String, of manager: String?, in manifest: String) -> Bool {
        if manifest.utf8.allSatisfy({ $0 <= 0x20 }) { return true }
        // Package managers read more than JSON: a byte order mark, and bun comments and trailing commas.
        guard let manifest = try? JSON(parsing: manifest) else { return false }
        guard let script = manifest["scripts"]?[name] else {
            // yarn finds a script with a colon in any workspace, bun runs a file of that name.
            return !name.utf8.contains(UInt8(ascii: ":")) && manager != "bun"
        }
        return script.stringValue.map(endsInRunner) ?? false
    }

    /// True if the last command of a script is a known runner of tests, in words that a shell takes as they are written.
    static func endsInRunner(_ script: String) -> Bool {
        guard !script.utf8.contains(where: { !(0x20..<0x7F).contains($0) || ";|<>`$()#\\".utf8.contains($0) }) else {
            return false
        }
        // Between the two of each `&&` there is nothing.
        let pieces = script.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard pieces.indices.allSatisfy({ $0 % 2 == 0 || pieces[$0].isEmpty }), pieces.count % 2 == 1,
            let last = pieces.last
        else { return false }
        guard "\"'".utf8.allSatisfy({ quote in last.count { $0 == quote } % 2 == 0 }) else { return false }
        let words = last.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        return startsRunner(words[...]) && RunnerOptions.leaveNext(words)
    }

    private static func startsRunner(_ words: ArraySlice<String>) -> Bool {
        var words = words.drop { isAssignment($0) }
        while let first = words.first, starters.contains(first) {
            words = words.dropFirst().drop { isAssignment($0) || isFlag($0, of: first) }
        }
        guard let program = words.first else { return false }
        if program == "node" { return isNodeRunner(words.dropFirst()) }
        if runners.contains(name(of: program)) { return true }
        return words.dropFirst().first.map { runnersOfTest[program] == $0 } ?? false
    }

    /// True for node's own runner, or one below `node_modules`. Any other word in front may be the file that gets what follows.
    private static func isNodeRunner(_ words: ArraySlice<String>) -> Bool {
        if words.first == "--test" { return true }
        let file = words.first { $0.utf8.first != UInt8(ascii: "-") }
        return file.map { isOfModules($0) && runners.contains(name(of: $0)) } ?? false
    }

    /// True for an option without a value; npx has some that take the next word.
    private static func isFlag(_ word: String, of program: String) -> Bool {
        word.utf8.first == UInt8(ascii: "-") && (program != "npx" || ["-y", "--yes", "--no-install"].contains(word))
    }

    private static func isAssignment(_ word: String) -> Bool {
        let name = word.utf8.prefix { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        let isQuotedWhole = "\"'".utf8.allSatisfy { quote in word.utf8.count { $0 == quote } % 2 == 0 }
        return !name.isEmpty && word.utf8.dropFirst(name.count).first == UInt8(ascii: "=") && isQuotedWhole
    }

    private static func isOfModules(_ word: String) -> Bool {
        ["node_modules/", "./node_modules/", "../node_modules/", "../../node_modules/"].contains {
            word.utf8.starts(with: $0.utf8)
        }
    }

    /// `jest` of `node_modules/jest/bin/jest.js`; of a path elsewhere the path itself.
    private static func name(of word: String) -> String {
        guard isOfModules(word), let last = PathText.components(word).last else { return word }
        return String(Substring(last.prefix { $0 != UInt8(ascii: ".") }))
    }

    /// They start the command behind their options.
    private static let starters: Set<String> = ["c8", "cross-env", "npx", "nyc"]
    /// They take what they are handed for files, or names, of tests.
    private static let runners: Set<String> = [
        "_mocha", "ava", "jasmine", "jest", "mocha", "qunit", "tap", "tape", "ts-mocha", "uvu", "vitest",
        "web-test-runner", "wtr",
    ]
    /// They do so with this word; `bun test:unit` is another script, `bun test.ts` a program.
    private static let runnersOfTest = [
        "bun": "test", "craco": "test", "deno": "test", "ng": "test", "playwright": "test", "react-scripts": "test",
        "vue-cli-service": "test:unit",
    ]
}
