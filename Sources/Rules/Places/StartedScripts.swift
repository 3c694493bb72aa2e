/// The scripts of the project that texts of commands start, and what these start in turn: `. ./lib.sh`, `import helpers`,
/// `require('./x')`.
struct StartedScripts {
    private(set) var texts = CommandTexts()
    /// Not all scripts were read, so that any file that a script could start may be started.
    private var startsAnyScript = false
    private var packages: LinkedPackages

    private let root: SessionRoot
    private var words = ScriptWords([])
    private var starting: [CommandTexts.Text] = []
    private var known: Set<String> = []
    private var bytes = 0
    /// The script files of the directories that were searched.
    private lazy var files = Self.files(near: root)

    private struct NearFile {
        let path: String
        /// Case folded.
        let name: [UInt8]
        let directory: [[UInt8]]
    }

    /// The most scripts that are read. Of more, they may start any file.
    private static let most = 100
    /// Bytes of the longest script that is read. What is longer is mostly made by a program, of one piece.
    private static let longest = 65_536
    /// Bytes of all scripts, behind which those that scripts start are read no more.
    private static let mostBytes = 262_144
    /// A script may start another, so many times over.
    private static let deepest = 8
    /// The most words of each round that are looked up below the directories that were searched.
    private static let mostFar = 100
    /// The most directories of which files are started without their names.
    private static let mostDirectories = 512

    init(on root: SessionRoot) {
        self.root = root
        packages = LinkedPackages(root)
    }

    /// Adds the scripts that the texts start, and those that these start in turn.
    /// - Returns: the texts that are new.
    mutating func take(_ starting: [CommandTexts.Text]) -> CommandTexts {
        let known = texts.texts.count
        var waiting = starting
        for round in 0..<Self.deepest where !waiting.isEmpty && !texts.startsAny && !startsAnyScript {
            let read = texts.texts.count
            take(waiting, isFirst: round == 0)
            waiting = Array(texts.texts[read...])
        }
        if !waiting.isEmpty { startsAnyScript = true }
        let found = texts.added(since: known)
        for text in starting + found.texts { packages.take(text.directories.loaded) }
        return found
    }

    /// - Parameter path: relative to the root if the file lies below it.
    func start(_ path: Substring.UTF8View) -> Bool {
        if texts.start(path) || packages.contain(path) { return true }
        return startsAnyScript
            && PathText.components(path).last.map { FileKinds.scripts.contain(SensitiveNames.folded($0)) } == true
    }

    private static func files(near root: SessionRoot) -> [NearFile] {
        (root.nearTree.directories + root.directoriesAbove).flatMap { directory -> [NearFile] in
            // A directory outside has the repository's name for it only.
            let places = Set(root.names(of: directory.path).filter { !PathText.isAbsolute($0) })
                .map { PathText.components($0).map { SensitiveNames.folded($0) } }
            return directory.files.flatMap { name -> [NearFile] in
                let folded = SensitiveNames.folded(name.utf8)
                guard FileKinds.scripts.contain(folded) else { return [] }
                let path = PathText.join(directory.path, name)
                return places.map { NearFile(path: path, name: folded, directory: $0) }
            }
        }
    }

    /// Reads the scripts that texts start.
    private mutating func take(_ waiting: [CommandTexts.Text], isFirst: Bool) {
        words = ScriptWords(waiting)
        starting = waiting.filter { !$0.directories.isEmpty || !$0.modules.isEmpty }
        if starting.reduce(0, { $0 + $1.directories.count }) > Self.mostDirectories { stop(isFirst) }
        for file in files where words.name(file.name, in: file.directory) || startsAlso(file) {
            take(file.path, isFirst)
        }
        for word in words.far.prefix(Self.mostFar) { takeFar(word, isFirst) }
    }

    private mutating func stop(_ isFirst: Bool) {
        if isFirst { texts.startsAny = true } else { startsAnyScript = true }
    }

    /// True for a file of a directory that is started without its name, and for a module of Python.
    private func startsAlso(_ file: NearFile) -> Bool {
        guard !starting.isEmpty else { return false }
        let stem = Array(file.name.prefix { $0 != UInt8(ascii: ".") })
        return starting.contains { text in
            text.directories.contain(file.directory + [file.name], bases: text.bases)
                || FileKinds.python.contain(file.name)
                    && text.modules.load(stem, in: file.directory, bases: text.bases)
        }
    }

    /// Takes a file by its path, from the root, or from the root behind a variable.
    private mutating func takeFar(_ word: String, _ isFirst: Bool) {
        let parts = PathText.components(word).map { String(Substring($0)) }
        for (front, directory) in root.above.flatMap({ [(0, $0), (1, $0)] }) where front < parts.count {
            let path = PathText.normalize(parts[front...].joined(separator: "/"), from: directory)
            let name = PathText.components(path).last.map { SensitiveNames.folded($0) } ?? []
            if FileKinds.scripts.contain(name), root.disk.kind(of: path) == .file { take(path, isFirst) }
        }
    }

    private mutating func take(_ path: String, _ isFirst: Bool) {
        guard !texts.startsAny, !startsAnyScript, known.insert(path).inserted else { return }
        guard known.count <= Self.most, isFirst || bytes <= Self.mostBytes else { return stop(isFirst) }
        guard let text = root.disk.text(of: path, limit: Self.longest) else { return }
        bytes += text.utf8.count
        let bases = Set([path, root.resolve(path).path].map(PathText.directory))
        texts.add(script: Array(text.utf8), in: Set(bases.flatMap(root.names)).sorted())
    }
}
