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
            let command = DeniedCommand.canonical([module] + rest)
            forms.append(command)
            // `python3 -m coverage run gen.py`
            if Kind(module) == .launcher { forms += self.forms(of: command, from: directory, isOfRule: isOfRule) }
            let path = module.split(separator: ".").joined(separator: "/")
            for file in [path + ".py", path + "/__main__.py"] { add(file, rest) }
        }
        guard isOfRule || !FileCheckers.includes(command) else { return forms }
        for place in Self.operands(of: command[...], kind) {
            for file in [command[place]] + Self.completed(command[place], name) {
                add(file, command[place...].dropFirst())
            }
        }
        return forms
    }

    /// The names that an interpreter tries for one without a suffix: `node x` runs `x.js` or `x/index.js`, and `python3 x` runs
    /// `x/__main__.py`.
    private static func completed(_ word: String, _ name: String) -> [String] {
        let base = DeniedCommand.baseName(word)
        guard base == "." || !base.utf8.contains(UInt8(ascii: ".")), !base.isEmpty else { return [] }
        if Kind(DeniedCommand.baseName(name)) == .python { return [word + "/__main__.py"] }
        return completing.contains(DeniedCommand.baseName(name)) ? endings.map { word + $0 } : []
    }

    private static let completing: Set<String> = ["babel-node", "jiti", "node", "ts-node", "tsx", "vite-node"]
    private static let endings = [".js", ".cjs", ".mjs", ".ts", "/index.js"]

    // MARK: - Paths

    /// The file's place below the root, or its absolute path. Where nobody can tell the directory, only the name behind `*/`,
    /// which a rule has, too.
    private func paths(of word: String, from directory: String, isOfRule: Bool) -> [String] {
        guard !word.isEmpty, word.utf8.count < DiskLookups.longestPath else { return [] }
        let name = DeniedCommand.baseName(word)
        let isUnknown = { (text: String) in text.utf8.contains { "$*?[{}`".utf8.contains($0) } }
        guard !isUnknown(name) else { return [] }
        let anywhere = Self.anywhere(name)
        guard !isUnknown(word), word.utf8.first != UInt8(ascii: "~") else { return [anywhere] }
        let place = place(of: word, from: directory)
        return isOfRule || mayMove && !PathText.isAbsolute(word) ? [place, anywhere] : [place]
    }

    private func place(of word: String, from directory: String) -> String {
        let path = PathText.normalize(word, from: directory)
        let below = PathText.remainder(of: path, below: context.root) ?? PathText.remainder(of: path, below: root)
        return below.map { "./" + String(Substring($0)) } ?? path
    }

    /// A file of which only the name is known.
    static func anywhere(_ name: String) -> String { "*/" + name }

    /// The file that a word of the line names.
    func paths(of word: String) -> [String] { paths(of: word, from: context.cwd, isOfRule: false) }

    /// The same for a word with a pattern.
    func places(of word: String) -> [String] {
        guard word.utf8.count < DiskLookups.longestPath else { return [] }
        if word.utf8.starts(with: "*/".utf8) { return [word] }
        let place = place(of: word, from: context.cwd)
        return mayMove && !PathText.isAbsolute(word) ? [place, Self.anywhere(DeniedCommand.baseName(word))] : [place]
    }

    private static let moving: Set<String> = ["cd", "chdir", "popd", "pushd"]
    private static let movingOptions = ["--chdir", "--cwd", "--directory", "-C"]

    // MARK: - Programs

    /// Programs that run the file named by their first operand.
    enum Kind {
        case shell, python, launcher, other

        init?(_ name: String) {
            if InputTexts.isShell(name) {
                self = .shell
            } else if name == "ipython" || name == "py" || name.utf8.starts(with: "python".utf8)
                || name.utf8.starts(with: "pypy".utf8)
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
        "bun", "coverage", "deno", "hatch", "mprof", "pdm", "pipx", "pixi", "poetry", "rye", "streamlit", "uv",
    ]
    private static let others: Set<String> = [
        "Rscript", "babel-node", "debugpy", "electron", "esno", "forever", "groovy", "jiti", "jruby", "kernprof", "lua",
        "node",
        "nodemon", "osascript", "perl", "php", "ruby", "scalene", "swift", "ts-node", "tsx", "vite-node", "zx",
    ]
    private static let mostPlaces = 16

    /// The operands that may be the file: a word behind an option may be its value, so that the next one counts, too.
    static func operands(of command: ArraySlice<String>, _ kind: Kind) -> [Int] {
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

    static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }

    /// True for an option behind which no file stands.
    static func ends(_ word: String, _ letters: String) -> Bool {
        !word.utf8.starts(with: "--".utf8) && word.utf8.dropFirst().contains(where: letters.utf8.contains)
    }
}
