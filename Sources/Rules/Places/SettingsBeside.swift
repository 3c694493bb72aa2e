import Text

/// Programs that take settings from beside what they are given, and do what those say: run code, or more.
struct SettingsBeside {
    /// How the names of such files begin, without case.
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
    /// Directories that none of them enters by itself.
    private static let passedOver: Set<String> = [".git", "node_modules"]
    /// Each is a rule of its own.
    private static let most = 12

    private let place: Place
    private let names: [String]
    private let program: String
    private var homes: Set<String> = []
    /// The directory of the settings nearest to where it runs.
    private var own: String?

    /// The directories whose settings a command takes for these operands, each part of a key; "" for those it takes for
    /// the directory where it runs.
    static func homes(of operands: [ShellWord], by row: CommandRow, in place: Place) throws(Refusal) -> [String] {
        guard let program = row.words.first(where: { beginnings[$0] != nil }), let names = beginnings[program] else {
            return [""]
        }
        // What pytest runs is code of the tree anyway.
        if program != "pytest" { try place.checkIsKnown(operands.first?.value ?? ".") }
        var found = SettingsBeside(place: place, names: names, program: program)
        found.own = try found.nearest(to: place.resolved.path)
        var left = Place.mostNamesStaged
        // A version takes none.
        for word in operands.isEmpty && !row.operands.isEmpty ? ["."] : operands.map(\.value) {
            let path = found.path(of: word)
            // Some follow links, some take the names as they are written.
            for path in Set([place.resolve(path).path, PathText.normalize(path, from: place.resolved.path)]) {
                try found.lookAbove(path)
            }
            if !found.isPytest { try found.lookBelow(path, left: &left) }
        }
        guard found.homes.count <= most else { throw .tooMuchBelow(program) }
        return found.homes.isEmpty ? [""] : found.homes.sorted()
    }

    private init(place: Place, names: [String], program: String) {
        self.place = place
        self.names = names
        self.program = program
    }

    private var isPytest: Bool { program == "pytest" }

    /// `tests/test_a.py::test_b[1/2]` is a file to pytest; to others it is a glob.
    private func path(of word: String) -> String {
        guard isPytest, let end = word.firstPlace(of: "::") else { return CommandMatch.base(of: word) }
        return String(word[..<end.lowerBound])
    }

    /// The nearest settings on the way up; where there are none, the root's.
    private mutating func lookAbove(_ path: String) throws(Refusal) {
        if let found = try nearest(to: path) {
            try add(found)
        } else if own == nil {
            homes.insert("")
        } else {
            try add(place.ground.root.path)
        }
    }

    /// On the way up to the root.
    private func nearest(to path: String) throws(Refusal) -> String? {
        var directory = path
        while PathText.contains(place.ground.root.path, directory) {
            if try hasSettings(directory, path) { return directory }
            if PathText.same(directory, "/") { break }
            directory = PathText.directory(of: directory)
        }
        return nil
    }

    /// Asked once for each directory: a line may have hundreds of commands that look there.
    private func hasSettings(_ directory: String, _ path: String) throws(Refusal) -> Bool {
        let ground = place.ground
        let question = program + " " + directory
        if let known = ground.hasSettings[question] { return known }
        guard ground.disk.kind(of: directory) == .directory else { return false }
        guard let found = ground.disk.names(in: directory) else { throw .operand(path) }
        let answer = found.contains(where: isOfSettings)
        ground.hasSettings[question] = answer
        return answer
    }

    /// All settings below a directory, also where links lead.
    private mutating func lookBelow(_ path: String, left: inout Int) throws(Refusal) {
        let top = place.resolve(path).path
        guard place.ground.disk.kind(of: top) == .directory else { return }
        var waiting = [top]
        var known: Set = [top]
        while let directory = waiting.popLast() {
            guard let entries = place.ground.disk.entries(in: directory, atMost: left) else {
                throw .tooMuchBelow(path)
            }
            left -= entries.count
            if entries.contains(where: { isOfSettings($0.name) }) { try add(directory) }
            for entry in entries where entry.kind != .other && !Self.passedOver.contains(entry.name) {
                var found = PathText.join(directory, entry.name)
                if entry.kind == .link {
                    found = place.ground.resolve(found).path
                    guard place.ground.disk.kind(of: found) == .directory else { continue }
                }
                if PathText.contains(place.ground.root.path, found), known.insert(found).inserted {
                    waiting.append(found)
                }
            }
        }
    }

    /// A file of this name, without case, holds settings of some program.
    static func knows(_ folded: [UInt8]) -> Bool {
        allBeginnings.contains { folded.starts(with: $0) }
    }

    private static let allBeginnings = Set(beginnings.values.joined().map { Array($0.utf8) })

    private func isOfSettings(_ name: String) -> Bool {
        let folded = SensitiveNames.folded(name.utf8)
        return names.contains { folded.starts(with: $0.utf8) }
    }

    private mutating func add(_ directory: String) throws(Refusal) {
        if let own, PathText.same(directory, own) {
            _ = homes.insert("")
            return
        }
        homes.insert(try place.named(ShellWord(directory)))
    }
}

extension Place {
    /// True where settings of pytest on the way up may have it import files that are not named as tests.
    func collectsEveryFile(in directory: String) -> Bool {
        var directory = directory
        while PathText.contains(ground.root.path, directory) {
            guard let names = ground.disk.names(in: directory) else { return true }
            for name in names where Manifests.pytest.contains(name) {
                guard let text = ground.disk.text(of: PathText.join(directory, name), limit: 262_144) else {
                    return true
                }
                if text.holds("doctest") || text.holds("python_files") { return true }
            }
            if PathText.same(directory, "/") { break }
            directory = PathText.directory(of: directory)
        }
        return false
    }
}
