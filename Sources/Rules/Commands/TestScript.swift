import OrderedJSON
import Text

/// A script of package.json that is named as one that runs tests.
///
/// npm, pnpm, yarn and bun append what they are handed to the script's text, so its last command gets it. That one may delete
/// files: `mocha && rm -rf tmp`.
enum TestScript {
    /// A larger package.json is not read.
    private static let longestManifest = 262_144

    /// False where another program than a known runner of tests may be handed the name of a file; true also where there is no
    /// such script, as nothing runs then.
    static func takesFiles(_ name: String, at place: Place) -> Bool {
        let disk = place.root.disk
        var directory = place.resolved.path
        while true {
            for manifest in ["package.json", "package.json5", "package.yaml"] {
                let path = PathText.join(directory, manifest)
                guard disk.kind(of: path) != .missing else { continue }
                // Of the others only pnpm knows what they say.
                guard manifest == "package.json", let text = disk.text(of: path, limit: longestManifest) else {
                    return false
                }
                return takesFiles(name, in: text)
            }
            if PathText.same(directory, "/") { return true }
            directory = PathText.directory(of: directory)
        }
    }

    private static func takesFiles(_ name: String, in manifest: String) -> Bool {
        // A package manager ends at a package.json that it cannot read.
        guard let manifest = try? JSON(parsing: manifest) else { return true }
        let scripts = manifest["scripts"]?.objectValue ?? [:]
        return scripts.allSatisfy { !PathText.same($0.key, name) || $0.value.stringValue.map(endsInRunner) ?? false }
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
        return startsRunner(last.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }[...])
    }

    private static func startsRunner(_ words: ArraySlice<String>) -> Bool {
        var words = words.drop { isAssignment($0) }
        while let first = words.first, starters.contains(first) {
            words = words.dropFirst().drop { isAssignment($0) || $0.utf8.first == UInt8(ascii: "-") }
        }
        guard let program = words.first else { return false }
        if program == "node" {
            return words.contains("--test") || words.contains { isOfModules($0) && runners.contains(name(of: $0)) }
        }
        if runners.contains(name(of: program)) { return true }
        return runnersOfTest.contains(program) && words.dropFirst().first?.utf8.starts(with: "test".utf8) == true
    }

    private static func isAssignment(_ word: String) -> Bool {
        let name = word.utf8.prefix { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        return !name.isEmpty && word.utf8.dropFirst(name.count).first == UInt8(ascii: "=")
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
    /// They do so as `bun test`, `vue-cli-service test:unit`.
    private static let runnersOfTest: Set<String> = [
        "bun", "craco", "deno", "ng", "playwright", "react-scripts", "vue-cli-service",
    ]
}
