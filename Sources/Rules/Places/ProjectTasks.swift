import OrderedJSON
import Text

/// The tasks of a project that texts run by name: `npm run lint` runs what `package.json` says, `make lint` what the
/// `Makefile` does, `uv run tool` a function that `pyproject.toml` names.
struct ProjectTasks {
    private struct Task {
        let name: [UInt8]
        let text: String
    }

    private(set) var texts = CommandTexts()
    private var left: [Task] = []
    private let root: SessionRoot

    /// A task may run others, so many times over.
    private static let deepest = 4
    /// The most packages that are read; those nearest to the root.
    private static let mostPackages = 20
    private static let runners = [
        "bun", "hatch", "just", "make", "node --run", "npm", "pdm", "pipx", "pnpm", "poetry", "run-p", "run-s", "uv",
        "yarn",
    ]
    private static let makefiles = ["GNUmakefile", "Makefile", "makefile", "Justfile", "justfile"]

    /// - Parameter starting: the texts that run them.
    init(_ starting: [CommandTexts], on root: SessionRoot) {
        self.root = root
        let all = starting.flatMap(\.texts).map(\.bytes)
        guard all.contains(where: { text in Self.runners.contains { text.firstPlace(of: $0.utf8) != nil } }) else {
            return
        }
        for directory in root.nearTree.directories.filter({ $0.files.contains("package.json") }).prefix(
            Self.mostPackages)
        {
            takePackage(PathText.join(directory.path, "package.json"))
        }
        let files = Set(root.nearTree.directories.first?.files ?? [])
        for name in Self.makefiles where files.contains(name) { takeMakefile(PathText.join(root.resolved.path, name)) }
        if files.contains("pyproject.toml") { takeScripts(PathText.join(root.resolved.path, "pyproject.toml")) }
        takeNamed(by: all)
    }

    private mutating func takeNamed(by all: [[UInt8]]) {
        var looked = Self.words(of: all)
        for _ in 0..<Self.deepest where !looked.isEmpty {
            let run = left.filter { looked.contains($0.name) }
            left.removeAll { looked.contains($0.name) }
            for task in run { texts.add(Array(task.text.utf8), isOfCommands: false) }
            looked = Self.words(of: run.map { SensitiveNames.folded($0.text.utf8) })
        }
    }

    private mutating func read(_ path: String) -> String {
        guard root.disk.kind(of: path) == .file else { return "" }
        guard let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) else {
            texts.startsAny = true
            return ""
        }
        return text
    }

    private mutating func takePackage(_ path: String) {
        let scripts = (try? JSON(parsing: AgentSettings.withoutMark(read(path))))?["scripts"]?.objectValue
        for script in scripts ?? [:] where script.value.stringValue != nil {
            left.append(Task(name: Self.name(of: script.key), text: script.value.stringValue ?? ""))
        }
    }

    /// Without `pre` and `post`, which run with the others.
    private static func name(of task: String) -> [UInt8] {
        let name = SensitiveNames.folded(task.utf8)
        let front = ["pre", "post"].first { name.starts(with: $0.utf8) && name.count > $0.utf8.count }
        return Array(name.dropFirst(front?.utf8.count ?? 0))
    }

    /// Takes each rule's recipe with the names of those that it needs. The first one runs where none is named.
    private mutating func takeMakefile(_ path: String) {
        var names: [Substring.UTF8View] = []
        var text = ""
        var isFirst = true
        for line in read(path).utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let first = line.first ?? UInt8(ascii: "#")
            if first <= 0x20 {
                text += String(Substring(line)) + "\n"
            } else if first != UInt8(ascii: "#"), let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                if !names.isEmpty {
                    left += Self.tasks(names, text, isFirst)
                    isFirst = false
                }
                names = line[..<colon].split(separator: UInt8(ascii: " "))
                text = String(Substring(line[line.index(after: colon)...])) + "\n"
            }
        }
        if !names.isEmpty { left += Self.tasks(names, text, isFirst) }
    }

    private static func tasks(_ names: [Substring.UTF8View], _ text: String, _ isFirst: Bool) -> [Task] {
        names.map { Task(name: SensitiveNames.folded($0), text: text) }
            + (isFirst ? [Task(name: Array("make".utf8), text: text)] : [])
    }

    /// Takes lines such as `tool = "pkg.cli:main"`.
    private mutating func takeScripts(_ path: String) {
        for line in read(path).utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = line[..<sign].filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
            let value = line[sign...].dropFirst().filter {
                $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
            }
            guard !name.isEmpty, let colon = value.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let module = String(decoding: value[..<colon], as: UTF8.self)
            left.append(Task(name: SensitiveNames.folded(name), text: "python -m " + module))
        }
    }

    private static func words(of texts: [[UInt8]]) -> Set<[UInt8]> {
        var words: Set<[UInt8]> = []
        for text in texts {
            for word in text.split(whereSeparator: { $0 <= 0x20 || isEnd($0) }) { words.insert(Array(word)) }
        }
        // `npm t`
        return words.contains(Array("t".utf8)) ? words.union([Array("test".utf8)]) : words
    }

    private static func isEnd(_ byte: UInt8) -> Bool { "'\";&|()`".utf8.contains(byte) }
}
