import Text

/// Settings that a program loads from the directories of its operands. Such settings can run code.
struct OperandSettings {
    /// For each program, the beginnings of the names of its settings files, in lower case.
    private static let beginnings: [String: [String]] = [
        "dart": dart, "deno": ["deno.json"], "eslint": [".eslintrc", "eslint.config.", "package.json"],
        "flutter": dart, "golangci-lint": [".golangci."], "markdownlint-cli2": [".markdownlint"],
        "oxlint": [".oxlintrc", "oxlint.config."],
        "prettier": [".prettierrc", "package.json", "package.yaml", "prettier.config."], "pytest": Manifests.pytest,
        "rubocop": [".rubocop."],
        "stylelint": [".config", ".stylelintrc", "package.json", "package.yaml", "stylelint.config."],
        "tslint": ["tslint."],
    ]
    private static let dart = ["analysis_options.", "pubspec"]
    /// The directories that no such program enters by itself.
    private static let passedOver: Set<String> = [".git", "node_modules"]
    /// The most directories with settings. Each makes a rule of its own.
    private static let most = 12

    let place: Place
    private let names: [String]
    private let program: String
    private(set) var homes: Set<String> = []
    /// The directory of the settings nearest to the directory where the program runs.
    private(set) var own: String?

    /// The directories whose settings a command loads for these operands, each as a part of a key. "" stands for the
    /// settings that it loads for its own directory.
    /// - Parameter words: all words of the command.
    static func homes(
        of operands: [ShellWord], by row: CommandRow, among words: [ShellWord], in place: Place
    ) throws(Refusal) -> [String] {
        guard let program = row.words.first(where: { beginnings[$0] != nil }), let names = beginnings[program] else {
            return [""]
        }
        // pytest runs code of the tree in any case.
        if program != "pytest" { try place.checkIsKnown(operands.first?.value ?? ".") }
        var found = OperandSettings(place: place, names: names, program: program)
        found.own = try found.nearest(to: place.resolved.path)
        var left = Place.mostNamesStaged
        // A row without operands, such as `--version`, loads no settings.
        for word in operands.isEmpty && !row.operands.isEmpty ? [ShellWord(".")] : operands {
            let path = found.path(of: word)
            // Some programs follow links, others use the names as written.
            for path in Set([place.resolve(path).path, PathText.normalize(path, from: place.resolved.path)]) {
                try found.lookAbove(path)
            }
            if !found.isPytest { try found.lookBelow(path, left: &left) }
        }
        if found.isPytest { try found.lookAsPytest(operands, words) }
        guard found.homes.count <= most else { throw .tooMuchBelow(program) }
        return found.homes.isEmpty ? [""] : found.homes.sorted()
    }

    private init(place: Place, names: [String], program: String) {
        self.place = place
        self.names = names
        self.program = program
    }

    private var isPytest: Bool { program == "pytest" }

    /// The path of an operand. For pytest `tests/test_a.py::test_b[1/2]` names a file, and a quoted glob no other one; other
    /// programs expand globs themselves.
    func path(of word: ShellWord) -> String {
        guard isPytest else { return CommandMatch.base(of: word.value) }
        if let end = word.value.firstPlace(of: "::") { return String(word.value[..<end.lowerBound]) }
        return word.isQuoted ? word.value : CommandMatch.base(of: word.value)
    }

    /// Adds the nearest directory with settings, from the path upwards. Without one, adds the root if the program has
    /// settings for its own directory, else "".
    mutating func lookAbove(_ path: String) throws(Refusal) {
        if let found = try nearest(to: path) {
            try add(found)
        } else if own == nil {
            homes.insert("")
        } else {
            try add(place.root.resolved.path)
        }
    }

    /// The nearest directory with settings, from the path up to the root.
    private func nearest(to path: String) throws(Refusal) -> String? {
        var directory = path
        while PathText.contains(place.root.resolved.path, directory) {
            if try hasSettings(directory, path) { return directory }
            if PathText.same(directory, "/") { break }
            directory = PathText.directory(of: directory)
        }
        return nil
    }

    /// True if a directory holds settings. Cached, because a line may have hundreds of commands that ask.
    private func hasSettings(_ directory: String, _ path: String) throws(Refusal) -> Bool {
        let root = place.root
        let key = program + " " + directory
        if let known = root.hasSettings[key] { return known }
        guard root.disk.kind(of: directory) == .directory else { return false }
        guard let found = root.disk.names(in: directory) else { throw .operand(path) }
        let answer = found.contains(where: isOfSettings)
        root.hasSettings[key] = answer
        return answer
    }

    /// Adds all directories with settings below a directory, also behind links to directories under the root.
    private mutating func lookBelow(_ path: String, left: inout Int) throws(Refusal) {
        let top = place.resolve(path).path
        guard place.root.disk.kind(of: top) == .directory else { return }
        var waiting = [top]
        var known: Set = [top]
        while let directory = waiting.popLast() {
            guard let entries = place.root.disk.entries(in: directory, atMost: left) else {
                throw .tooMuchBelow(path)
            }
            left -= entries.count
            if entries.contains(where: { isOfSettings($0.name) }) { try add(directory) }
            for entry in entries where entry.kind != .other && !Self.passedOver.contains(entry.name) {
                var found = PathText.join(directory, entry.name)
                if entry.kind == .link {
                    found = place.root.resolve(found).path
                    guard place.root.disk.kind(of: found) == .directory else { continue }
                }
                if PathText.contains(place.root.resolved.path, found), known.insert(found).inserted {
                    waiting.append(found)
                }
            }
        }
    }

    /// True if a file of this case-folded name holds settings of some program.
    static func knows(_ folded: [UInt8]) -> Bool {
        allBeginnings.contains { folded.starts(with: $0) }
    }

    private static let allBeginnings = Set(beginnings.values.joined().map { Array($0.utf8) })

    private func isOfSettings(_ name: String) -> Bool {
        let folded = SensitiveNames.folded(name.utf8)
        return names.contains { folded.starts(with: $0.utf8) }
    }

    mutating func add(_ directory: String) throws(Refusal) {
        if let own, PathText.same(directory, own) {
            _ = homes.insert("")
            return
        }
        homes.insert(try place.named(ShellWord(directory)))
    }
}
