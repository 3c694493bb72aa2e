/// The scripts of the project that texts of commands start, and what these start in turn: `. ./lib.sh`, `import helpers`,
/// `require('./x')`. They are read one level deep.
struct StartedScripts {
    private(set) var texts = CommandTexts()

    private let root: SessionRoot
    private let words: ScriptWords
    private let directories: [StartedDirectories]
    private var known: Set<String> = []

    /// The most scripts that are read. Of more, they may start any file.
    private static let most = 100
    /// Bytes of the longest script that is read. What is longer is mostly made by a program, of one piece.
    private static let longest = 65_536
    /// The most words that are looked up below the directories that were searched.
    private static let mostFar = 100

    /// - Parameter starting: the texts that start them.
    init(_ starting: [CommandTexts], on root: SessionRoot) {
        self.root = root
        let starting = starting.flatMap(\.texts)
        words = ScriptWords(starting)
        directories = starting.map(\.directories).filter { !$0.isEmpty }
        for directory in root.nearTree.directories { takeNear(directory) }
        for word in words.far.prefix(Self.mostFar) { takeFar(word) }
    }

    private mutating func takeNear(_ directory: NearTree.Directory) {
        let below =
            PathText.remainder(of: directory.path, below: root.resolved.path).map { String(Substring($0)) } ?? ""
        for name in directory.files where Self.mayBeScript(name) {
            let path = below.isEmpty ? name : below + "/" + name
            guard words.name(path) || startsAll(of: path) else { continue }
            take(PathText.join(directory.path, name))
        }
    }

    private func startsAll(of path: String) -> Bool {
        guard !directories.isEmpty else { return false }
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        return directories.contains { $0.contain(parts) }
    }

    /// Takes a file by its path, from the root, or from the root behind a variable.
    private mutating func takeFar(_ word: String) {
        let parts = PathText.components(word).map { String(Substring($0)) }
        for front in 0..<min(2, parts.count) {
            let path = PathText.normalize(parts[front...].joined(separator: "/"), from: root.resolved.path)
            if Self.mayBeScript(path), root.disk.kind(of: path) == .file { take(path) }
        }
    }

    private mutating func take(_ path: String) {
        guard !texts.startsAny, known.insert(path).inserted else { return }
        guard known.count <= Self.most else {
            texts.startsAny = true
            return
        }
        guard let text = root.disk.text(of: path, limit: Self.longest) else { return }
        let bases = Set([path, root.resolve(path).path].map(PathText.directory))
        texts.add(script: Array(text.utf8), in: Array(bases), top: root.resolved.path)
    }

    /// False for data and prose, whose words start nothing.
    private static func mayBeScript(_ path: String) -> Bool {
        let name = PathText.components(path).last.map { SensitiveNames.folded($0) } ?? []
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return true }
        return suffixes.contains(Array(name[(dot + 1)...]))
    }

    private static let suffixes = Set(
        """
        awk bash cjs cts fish js jsx ksh lua mjs mts nu php pl pm ps1 psm1 py pyw r rb sed sh tcl ts tsx zsh
        """.split(separator: " ").map { Array($0.utf8) })
}

/// The words of texts by which files may be started, by their last part.
private struct ScriptWords {
    private var byLast: [[UInt8]: Set<[[UInt8]]>] = [:]
    /// Those with directories, as they were written.
    private(set) var far: [String] = []
    private var known: Set<ArraySlice<UInt8>> = []

    init(_ texts: [CommandTexts.Text]) {
        for text in texts { take(text) }
    }

    private mutating func take(_ text: CommandTexts.Text) {
        var last: ArraySlice<UInt8> = []
        for word in text.written.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) {
            let isStarted = text.isOfCommands || ScriptNames.starts(last)
            last = word
            guard isStarted || word.contains(where: { "./".utf8.contains($0) }), known.insert(word).inserted else {
                continue
            }
            add(word)
            // `-mtools.status`, `-rserver`
            if ScriptNames.hasValue(word) { add(word.dropFirst(2)) }
        }
    }

    private mutating func add(_ word: ArraySlice<UInt8>) {
        let parts = word.split(separator: UInt8(ascii: "/")).map { SensitiveNames.folded($0) }
            .filter { !$0.allSatisfy { $0 == UInt8(ascii: ".") } }
        guard let last = parts.last else { return }
        byLast[last, default: []].insert(parts)
        if parts.count > 1 { far.append(String(decoding: word, as: UTF8.self)) }
        let modules = last.split(separator: UInt8(ascii: ".")).map { Array($0) }
        if parts.count == 1, modules.count > 1, let name = modules.last { byLast[name, default: []].insert(modules) }
    }

    /// True if a word is the path, or its end, with or without its suffix, and `index` or `__main__`.
    func name(_ path: String) -> Bool {
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        guard let name = parts.last else { return false }
        let directory = Array(parts.dropLast())
        let dot = UInt8(ascii: ".")
        let shortest = Array(name.prefix { $0 != dot })
        let longest = Array(name[..<(name.lastIndex(of: dot) ?? name.endIndex)])
        return [name, shortest, longest].contains { holds(directory + [$0]) }
            || ScriptNames.isEntry(shortest) && holds(directory)
    }

    /// True if the path ends with a word, or with all of one but its first part, which may be a variable.
    private func holds(_ path: [[UInt8]]) -> Bool {
        guard let last = path.last, let words = byLast[last] else { return false }
        return words.contains { word in
            path.suffix(word.count).elementsEqual(word)
                || word.count > 1 && path.suffix(word.count - 1).elementsEqual(word.dropFirst())
        }
    }
}
