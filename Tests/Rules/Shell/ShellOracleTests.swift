import Foundation
import Host
import OrderedJSON
import Rules
import Testing

/// Runs lines that the rules settle in bash and zsh with stubbed commands: nothing runs that the rules do not name, and
/// no argument that is a path leads outside the root.
@Suite("The matcher against bash and zsh")
struct ShellOracleTests {
    private struct Settled {
        let line: String
        let cwd: String
        let rules: [Pattern]
    }

    @Test("only what the rules name runs, under the root", .timeLimit(.minutes(60)))
    func onlyNamed() throws {
        let repository = try #require(ScratchRepository.shared)
        let settled = try settledLines(in: repository)
        #expect(settled.count > 1_000)
        let scratch = URL(filePath: repository.home).appending(path: "shells-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        for shell in try StubbedShell.all() {
            for status in [0, 1] {
                let lines = settled.map { (line: $0.line, directory: PathsForTests.join(repository.root, $0.cwd)) }
                let records = try shell.run(lines, status: status, scratch: scratch)
                // Each line runs at least one command, unless zsh finds no file for a glob.
                let silent = Set(settled.indices).subtracting(records.map(\.line))
                for index in silent where !settled[index].line.contains(where: "*^~/".contains) {
                    Issue.record("\(shell.name) ran nothing for \(settled[index].line.debugDescription)")
                }
                for record in Set(records) { check(record, settled[record.line], shell, repository) }
            }
        }
    }

    /// Lines that prefix rules of other lines settle. Rules for whole lines are not used.
    private func settledLines(in repository: ScratchRepository) throws -> [Settled] {
        let corpus = try Corpus.lines()
        let paths = DiskPaths()
        let allow = Array(
            Set(
                corpus.flatMap { line in
                    ["", "src"].flatMap {
                        RuleEngine.patterns(
                            tool: "Bash", input: ["command": .string(line)], context: repository.context(cwd: $0),
                            paths: paths)
                    }
                })
        ).filter { $0.kind == .command }
        let passing = corpus.filter { line in
            RuleEngine.settles(
                tool: "Bash", input: ["command": .string(line)], allow: allow, context: repository.context(),
                paths: paths) != nil
        }
        var generator = LineGenerator(seed: 11, corpus: passing)
        var settled: [Settled] = []
        let lines = Set(passing + (0..<(3_500 * Corpus.scale)).map { _ in generator.mild() }).sorted()
        for line in lines {
            let cwd = generator.pick(["", "", "src", "sub", "docs/api"])
            let rules = RuleEngine.settles(
                tool: "Bash", input: ["command": .string(line)], allow: allow, context: repository.context(cwd: cwd),
                paths: paths)
            if let rules { settled.append(Settled(line: line, cwd: cwd, rules: rules)) }
        }
        return settled
    }

    private func check(
        _ record: StubbedShell.Record, _ settled: Settled, _ shell: StubbedShell, _ repository: ScratchRepository
    ) {
        var words = record.words
        if words.first == "timeout" { words.removeFirst(2) }
        if words.first == "[" { words = ["test"] + words.dropFirst().dropLast() }
        var directory = record.directory
        if words.first == "git" {
            while words.count > 1, words[1] == "--no-pager" || words[1] == "-C" {
                if words[1] == "-C" { directory = words[2].hasPrefix("/") ? words[2] : directory + "/" + words[2] }
                words.removeSubrange(1...(words[1] == "-C" ? 2 : 1))
            }
        }
        words = Self.usual(words)
        if words.starts(with: ["npm", "--prefix"]) { words[2] = Self.below(repository.root, words[2], directory) }
        let place = "\(shell.name): \(settled.line.debugDescription) ran \(record.words) in \(record.directory)"
        // Skip records with an empty word: the shell's word for a here document differs from the one that the rules
        // read.
        guard !words.contains("") else { return }
        let isNamed = ([words] + Self.wider(than: words)).contains { command in
            Self.isNamed(command, command.map { Self.below(repository.root, $0, directory) }, by: settled.rules)
        }
        #expect(isNamed || Self.needNone.contains(words.first ?? ""), "\(place)")
        for path in Self.paths(in: words) {
            #expect(Self.isInside(path, directory, repository.root), "\(place): \(path)")
        }
    }

    /// The commands with the same operands that the table says do more.
    private static func wider(than words: [String]) -> [[String]] {
        CommandTable.comparedKeys.flatMap { lesser, wider -> [[String]] in
            let (start, options) = parts(of: lesser)
            guard words.starts(with: start), has(words.dropFirst(start.count), options[...]) else { return [] }
            let (widerStart, widerOptions) = parts(of: wider)
            let rest = words.dropFirst(start.count).filter { !options.contains($0) }
            // A key has its options behind directories, and in front of words that options take.
            return [widerStart + rest + widerOptions, widerStart + widerOptions + rest]
        }
    }

    /// A key's words and its options.
    private static func parts(of key: String) -> ([String], [String]) {
        let words = key.split(separator: " ").map(String.init)
        let start = words.prefix { !$0.hasPrefix("-") }
        return (Array(start), Array(words[start.count...]))
    }

    /// The command as keys name scripts of a package: `npm t` and `npm run test` are `npm test`.
    private static func usual(_ words: [String]) -> [String] {
        guard words.count > 1, ["npm", "pnpm", "yarn"].contains(words[0]) else { return words }
        var words = words
        let place = words[1].hasPrefix("--") ? 3 : 1
        guard words.count > place else { return words }
        if words[0] != "yarn" {
            words[place] = ["run-script": "run", "t": "test", "tst": "test"][words[place]] ?? words[place]
        }
        let own = words[0] == "npm" ? ["test"] : ["build", "format", "lint", "test", "typecheck"]
        if words[place] == "run", words.count > place + 1, own.contains(words[place + 1]) { words.remove(at: place) }
        return words
    }

    /// The path as keys contain it: relative to the root, without `.` and a trailing slash.
    private static func below(_ root: String, _ path: String, _ directory: String) -> String {
        let found = URL(filePath: PathsForTests.join(directory, path)).standardized.path
        return found.hasPrefix(root + "/")
            ? found.dropFirst(root.count + 1).split(separator: "/").joined(separator: "/") : path
    }

    private static let needNone: Set<String> = [
        "awk", "cat", "cd", "cut", "echo", "grep", "head", "jq", "nl", "pwd", "sed", "set", "sort", "tail", "tr",
        "true", "uniq", "wc",
    ]

    /// The words of a key, after quote removal.
    private static func words(of key: String) -> [String] {
        var words = [""]
        var isQuoted = false
        var rest = key[...]
        while let character = rest.popFirst() {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            case "\\" where !isQuoted: if let next = rest.popFirst() { words[words.count - 1].append(next) }
            default: words[words.count - 1].append(character)
            }
        }
        return words.filter { $0 != "<paths>" }
    }

    /// True if a rule names the words of a command.
    /// - Parameter below: the words, with paths as keys contain them.
    private static func isNamed(_ words: [String], _ below: [String], by rules: [Pattern]) -> Bool {
        rules.contains { rule in
            var key = Self.words(of: rule.subject)
            // unittest's word for no word at all.
            if key.count == 4, key[2] == "unittest", key[3] == "." { key.removeLast() }
            // The name of a remote may be left out, and its addresses stand in settings.
            if key[0] == "git", key.count > 2, ["fetch", "pull", "push"].contains(key[1]) {
                let name = words.dropFirst(2).first { !$0.hasPrefix("-") }
                guard name == nil || name == key[2] else { return false }
                key = key.prefix(2) + key.filter { $0.hasPrefix("-") }
            }
            if key[0].hasPrefix("./") { return words[0].hasPrefix("./") && has(words.dropFirst(), key.dropFirst()) }
            guard key[0] == words.first else { return false }
            // A key contains the resolved file, so compare only the words after it. Options may stand between these.
            if interpreters.contains(key[0]), key.count > 1, key[1] != "-m" {
                return has(words.dropFirst(2), key.dropFirst(2))
            }
            if ["make", "just", "ninja"].contains(key[0]) { return has(words.dropFirst(), key.dropFirst()) }
            if key.starts(with: ["go", "run"]) {
                return words[1] == "run" && has(words.dropFirst(3), key.dropFirst(3))
            }
            // The keys of these commands contain a directory before the options.
            let program = key[0] == "npx" ? key[1] : key.dropFirst().first == "-m" ? key[2] : key[0]
            if keepDirectories.contains(program) {
                return key.allSatisfy { part in
                    // "." stands for the root, whose settings apply in the directories below.
                    part == "." || words.contains(part) || below.contains { $0 == part || $0.hasPrefix(part + "/") }
                        || words.contains { $0.hasSuffix("=" + part) }
                }
            }
            let literal = key.prefix { !$0.hasPrefix("-") }
            return words.starts(with: literal) && has(words.dropFirst(literal.count), key.dropFirst(literal.count))
        }
    }

    private static let keepDirectories: Set<String> = [
        "cmake", "ctest", "dart", "deno", "dotnet", "eslint", "flutter", "golangci-lint", "oxlint", "prettier",
        "pytest",
        "rubocop", "stylelint", "tsc", "unittest",
    ]

    private static let interpreters: Set<String> = ["python3", "python", "node", "ruby", "bash", "sh"]

    /// True if `words` contains all of `wanted` in this order.
    private static func has(_ words: ArraySlice<String>, _ wanted: ArraySlice<String>) -> Bool {
        var wanted = wanted
        for word in words where word == wanted.first { wanted = wanted.dropFirst() }
        return wanted.isEmpty
    }

    /// Commands whose operands are all paths.
    private static let takesPaths: Set<String> = [
        "cat", "diff", "du", "file", "head", "ls", "mkdir", "nl", "stat", "tail", "touch", "tree", "wc",
    ]

    private static func paths(in words: [String]) -> [String] {
        guard let name = words.first, takesPaths.contains(name) else { return name(words) }
        let operands = words.dropFirst()
        let valued: Set<String> = ["-n", "-c", "-L", "-I", "-d", "-U", "-f"]
        return zip([""] + operands, operands).filter { !valued.contains($0) && !$1.hasPrefix("-") }.map(\.1)
    }

    private static func name(_ words: [String]) -> [String] {
        guard let name = words.first else { return [] }
        let isScript = interpreters.contains(name)
        return name.hasPrefix("./") ? words : isScript && words.count > 1 && words[1] != "-m" ? [words[1]] : []
    }

    private static func isInside(_ path: String, _ directory: String, _ root: String) -> Bool {
        var current = path.hasPrefix("/") ? path : directory + "/" + path
        var rest = ""
        while true {
            if let found = realpath(current, nil) {
                defer { free(found) }
                let resolved = String(cString: found) + rest
                return resolved == "/dev/null" || resolved == root || resolved.hasPrefix(root + "/")
            }
            guard let slash = current.lastIndex(of: "/") else { return false }
            rest = String(current[slash...]) + rest
            current = String(current[..<slash])
        }
    }
}
