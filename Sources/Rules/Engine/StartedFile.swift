/// The file that a command runs, by whatever path and whatever program: `bash run.sh`, `source ./x/../run.sh` and
/// `$PWD/run.sh` all run `./run.sh`.
struct StartedFile {
    private let context: RuleContext
    private let root: String
    /// True if the line may change the directory: a relative path may name a file anywhere then.
    private let mayMove: Bool

    /// - Parameter commands: those of the line.
    init(root: SessionRoot, in commands: [[String]]) {
        context = root.context
        self.root = root.resolved.path
        mayMove = commands.contains { words in
            words.first.map(Self.moving.contains) == true
                || words.contains { word in Self.movingOptions.contains { word == $0 || word.isOption($0) } }
        }
    }

    /// The readings, and the same with the files that they run in front.
    func readings(_ list: [[String]]) -> [[String]] {
        list + list.flatMap { forms(of: $0, from: context.cwd, isOfRule: false) }
    }

    /// The forms of a denied command.
    /// - Parameter directory: that from which its paths count; nil for the root.
    func formsOfRule(_ words: [String], from directory: String?) -> [[String]] {
        forms(of: words, from: directory ?? context.root, isOfRule: true)
    }

    private func forms(of command: [String], from directory: String, isOfRule: Bool) -> [[String]] {
        guard let name = command.first else { return [] }
        var forms: [[String]] = []
        func add(_ word: String, _ rest: ArraySlice<String>) {
            forms += paths(of: word, from: directory, isOfRule: isOfRule).map { [$0] + rest }
        }
        if name.utf8.contains(UInt8(ascii: "/")) { add(name, command.dropFirst()) }
        guard let kind = Kind(DeniedCommand.baseName(name)) else { return forms }
        if let (module, rest) = kind == .other ? nil : Self.module(in: command) {
            forms.append(DeniedCommand.canonical([module] + rest))
            let path = module.split(separator: ".").joined(separator: "/")
            for file in [path + ".py", path + "/__main__.py"] { add(file, rest) }
        }
        guard isOfRule || !FileCheckers.includes(command) else { return forms }
        for place in Self.operands(of: command[...], kind) { add(command[place], command[place...].dropFirst()) }
        return forms
    }

    // MARK: - Paths

    /// The file's place below the root, or its absolute path. Where nobody can tell the directory, only the name behind `*/`,
    /// which a rule has, too.
    private func paths(of word: String, from directory: String, isOfRule: Bool) -> [String] {
        guard !word.isEmpty, word.utf8.count < DiskLookups.longestPath else { return [] }
        let name = DeniedCommand.baseName(word)
        let isUnknown = { (text: String) in text.utf8.contains { "$*?[{}`".utf8.contains($0) } }
        guard !isUnknown(name) else { return [] }
        let anywhere = "*/" + name
        guard !isUnknown(word), word.utf8.first != UInt8(ascii: "~") else { return [anywhere] }
        let path = PathText.normalize(word, from: directory)
        let below = PathText.remainder(of: path, below: context.root) ?? PathText.remainder(of: path, below: root)
        let place = below.map { "./" + String(Substring($0)) } ?? path
        return isOfRule || mayMove && !PathText.isAbsolute(word) ? [place, anywhere] : [place]
    }

    private static let moving: Set<String> = ["cd", "chdir", "popd", "pushd"]
    private static let movingOptions = ["--chdir", "--cwd", "--directory", "-C"]

    // MARK: - Programs

    /// Programs that run the file named by their first operand.
    private enum Kind {
        case shell, python, launcher, other

        init?(_ name: String) {
            if InputTexts.isShell(name) {
                self = .shell
            } else if name == "ipython" || name.utf8.starts(with: "python".utf8) || name.utf8.starts(with: "pypy".utf8)
            {
                self = .python
            } else if launchers.contains(name) {
                self = .launcher
            } else if others.contains(name) {
                self = .other
            } else {
                return nil
            }
        }

        /// The letters of options behind which a text stands, or a module.
        var endingLetters: String {
            switch self {
            case .shell: "c"
            case .python, .launcher: "cm"
            case .other: "eE"
            }
        }
    }

    private static let launchers: Set<String> = [
        "bun", "coverage", "deno", "hatch", "pdm", "pipx", "pixi", "poetry", "rye", "uv",
    ]
    private static let others: Set<String> = [
        "Rscript", "babel-node", "groovy", "jruby", "lua", "node", "osascript", "perl", "php", "ruby", "swift",
        "ts-node", "tsx",
    ]
    private static let mostPlaces = 16

    /// The operands that may be the file: a word behind an option may be its value, so that the next one counts, too.
    private static func operands(of command: ArraySlice<String>, _ kind: Kind) -> [Int] {
        var start = command.startIndex
        if kind == .launcher {
            let run = command.prefix(mostPlaces).firstIndex(of: "run")
            // bun's and deno's `run` may be left out.
            guard let first = run ?? (command.first == "bun" || command.first == "deno" ? start : nil) else {
                return []
            }
            start = first
        }
        var places: [Int] = []
        for place in command.indices where place > start && command[place] != "--" {
            let word = command[place]
            if isOption(word) {
                if ends(word, kind.endingLetters) { break }
                continue
            }
            places.append(place)
            let before = command[place - 1]
            guard place > start + 1, isOption(before), before != "--", places.count < mostPlaces else { break }
        }
        return places
    }

    /// The module of Python that an option names, and what follows: `-m x`, `-mx`, `-um x`.
    private static func module(in command: [String]) -> (String, ArraySlice<String>)? {
        for (place, word) in command.enumerated().dropFirst().prefix(mostPlaces) where isOption(word) {
            guard !word.utf8.starts(with: "--".utf8), let sign = word.utf8.firstIndex(of: UInt8(ascii: "m")),
                word.utf8[..<sign].dropFirst().allSatisfy(ShellCharacters.isAlphanumeric)
            else { continue }
            let attached = String(word[word.utf8.index(after: sign)...])
            let rest = command[place...].dropFirst(attached.isEmpty ? 2 : 1)
            let module = attached.isEmpty ? command[place...].dropFirst().first : attached
            return module.map { ($0, rest) }
        }
        return nil
    }

    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }

    /// True for an option behind which no file stands.
    private static func ends(_ word: String, _ letters: String) -> Bool {
        !word.utf8.starts(with: "--".utf8) && word.utf8.dropFirst().contains(where: letters.utf8.contains)
    }
}
