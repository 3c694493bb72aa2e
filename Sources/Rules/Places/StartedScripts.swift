/// The scripts of the project that texts of commands start, and what these start in turn: `. ./lib.sh`, `import helpers`,
/// `require('./x')`. They are read one level deep.
struct StartedScripts {
    private(set) var texts = CommandTexts()
    private var packages: LinkedPackages

    private let root: SessionRoot
    private let words: ScriptWords
    private let starting: [CommandTexts.Text]
    private var known: Set<String> = []

    /// The most scripts that are read. Of more, they may start any file.
    private static let most = 100
    /// Bytes of the longest script that is read. What is longer is mostly made by a program, of one piece.
    private static let longest = 65_536
    /// The most words that are looked up below the directories that were searched.
    private static let mostFar = 100
    /// The most directories of which files are started without their names.
    private static let mostDirectories = 512

    /// - Parameter starting: the texts that start them.
    init(_ starting: [CommandTexts], on root: SessionRoot) {
        self.root = root
        let all = starting.flatMap(\.texts)
        words = ScriptWords(all)
        self.starting = all.filter { !$0.directories.isEmpty || !$0.modules.isEmpty }
        packages = LinkedPackages(root)
        if self.starting.reduce(0, { $0 + $1.directories.count }) > Self.mostDirectories { texts.startsAny = true }
        for directory in root.nearTree.directories where !texts.startsAny { takeNear(directory) }
        for word in words.far.prefix(Self.mostFar) { takeFar(word) }
        for text in all + texts.texts { packages.take(text.directories.loaded) }
    }

    /// - Parameter path: relative to the root if the file lies below it.
    func start(_ path: Substring.UTF8View) -> Bool { texts.start(path) || packages.contain(path) }

    private mutating func takeNear(_ directory: NearTree.Directory) {
        let below = root.belowRoot(directory.path)
        let parts =
            PathText.same(directory.path, root.resolved.path)
            ? [] : PathText.components(below).map { SensitiveNames.folded($0) }
        for name in directory.files {
            let folded = SensitiveNames.folded(name.utf8)
            guard FileKinds.scripts.contain(folded), words.name(folded, in: parts) || startsAlso(folded, in: parts)
            else {
                continue
            }
            take(PathText.join(directory.path, name))
        }
    }

    /// True for a file of a directory that is started without its name, and for a module of Python.
    private func startsAlso(_ name: [UInt8], in directory: [[UInt8]]) -> Bool {
        guard !starting.isEmpty else { return false }
        let stem = Array(name.prefix { $0 != UInt8(ascii: ".") })
        return starting.contains { text in
            text.directories.contain(directory + [name], bases: [])
                || FileKinds.python.contain(name) && text.modules.load(stem, in: directory, bases: [])
        }
    }

    /// Takes a file by its path, from the root, or from the root behind a variable.
    private mutating func takeFar(_ word: String) {
        let parts = PathText.components(word).map { String(Substring($0)) }
        for front in 0..<min(2, parts.count) {
            let path = PathText.normalize(parts[front...].joined(separator: "/"), from: root.resolved.path)
            let name = PathText.components(path).last.map { SensitiveNames.folded($0) } ?? []
            if FileKinds.scripts.contain(name), root.disk.kind(of: path) == .file { take(path) }
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
        texts.add(script: Array(text.utf8), in: bases.map(root.belowRoot))
    }
}

/// The words of texts by which files may be started, so that a file is found among them in the time of its own path.
private struct ScriptWords {
    private var lasts: Set<ArraySlice<UInt8>> = []
    /// Each word's parts, joined.
    private var wholes: Set<[UInt8]> = []
    /// The same without the first part, which may be a variable.
    private var tails: Set<[UInt8]> = []
    /// Those with directories, as they were written.
    private(set) var far: [String] = []
    private var known: Set<ArraySlice<UInt8>> = []

    init(_ texts: [CommandTexts.Text]) {
        for text in texts { take(text) }
    }

    private mutating func take(_ text: CommandTexts.Text) {
        // Case folded, other letters may have another length.
        let read = text.written.count == text.bytes.count ? text.read : nil
        var last: ArraySlice<UInt8> = []
        for word in text.written.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) {
            let isStarted = text.isOfCommands || ScriptNames.starts(last)
            last = word
            if read?.contain(word) == true, !word.contains(UInt8(ascii: ".")) { continue }
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
        insert(parts)
        if parts.count > 1 { far.append(String(decoding: word, as: UTF8.self)) }
        let modules = last.split(separator: UInt8(ascii: ".")).map { Array($0) }
        if parts.count == 1, modules.count > 1 { insert(modules) }
    }

    private mutating func insert(_ parts: [[UInt8]]) {
        guard let last = parts.last else { return }
        lasts.insert(last[...])
        wholes.insert(Self.joined(parts[...]))
        if parts.count > 1 { tails.insert(Self.joined(parts.dropFirst())) }
    }

    private static func joined(_ parts: ArraySlice<[UInt8]>) -> [UInt8] {
        Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }

    /// True if a word is the path, or its end, with or without its suffix, and `index` or `__main__`.
    func name(_ name: [UInt8], in directory: [[UInt8]]) -> Bool {
        let dot = UInt8(ascii: ".")
        let shortest = name.prefix { $0 != dot }
        let longest = name[..<(name.lastIndex(of: dot) ?? name.endIndex)]
        return [name[...], shortest, longest].contains { lasts.contains($0) && holds(directory + [Array($0)]) }
            || directory.last.map { lasts.contains($0[...]) } == true && ScriptNames.isEntry(Array(shortest))
                && holds(directory)
    }

    /// True if the path ends with a word, or with all of one but its first part.
    private func holds(_ path: [[UInt8]]) -> Bool {
        path.indices.contains { index in
            let end = Self.joined(path[index...])
            return wholes.contains(end) || tails.contains(end)
        }
    }
}
