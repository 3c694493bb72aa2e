/// The tasks of a project that texts run by name: `npm run lint` runs what `package.json` says, `make lint` what the
/// `Makefile` does, `uv run tool` a function that `pyproject.toml` names, `lefthook` all that `lefthook.yml` names.
///
/// Files are read once a text has the name of a program that may read them, and a task counts once a text has its name.
struct ProjectTasks {
    struct Task {
        enum Source {
            case text([UInt8])
            case file(String, TaskFile)
        }
        let names: [[UInt8]]
        let source: Source
    }

    let root: SessionRoot
    var texts = CommandTexts()
    private(set) var tasks: [Task] = []
    private var byName: [[UInt8]: [Int]] = [:]
    /// Names that were looked for, fronts of names with a `*`, and tasks that are run.
    private var looked: Set<[UInt8]> = []
    private var fronts: Set<[UInt8]> = []
    private var isEveryTask = false
    private var started: Set<Int> = []
    private var ready: [Int] = []
    /// Directories of the project by their own names, until their files are known.
    private var directories: [[UInt8]: [NearTree.Directory]] = [:]
    private var isPrepared = false
    var includes = IncludedMakefiles()
    /// Those that were read.
    private var known: Set<String> = []
    var given: Set<ArraySlice<UInt8>> = []
    private var files = 0
    private var bytes = 0

    /// The most files that are read, and the most bytes in them. Of more, any file may be started.
    private static let mostFiles = 1000
    private static let mostBytes = 1 << 20
    /// The most names with a `*`. With more, every task counts.
    private static let mostFronts = 64
    /// The most names in a hidden directory of settings.
    private static let mostHidden = 1000

    init(on root: SessionRoot) { self.root = root }

    /// Adds the tasks that texts run, with those that tasks run in turn: each counts once, so that this ends.
    /// - Returns: the texts that are new.
    mutating func take(_ starting: [CommandTexts.Text]) -> CommandTexts {
        let known = texts.texts.count
        var waiting = starting.map(\.bytes)
        if !waiting.isEmpty { prepare() }
        while !texts.startsAny {
            if let index = ready.popLast() {
                run(tasks[index], &waiting)
            } else if let text = waiting.popLast() {
                look(for: TaskNames(in: text))
                takeGiven(in: text)
            } else {
                break
            }
        }
        return texts.added(since: known)
    }

    mutating func add(_ names: [[UInt8]], _ source: Task.Source) {
        let index = tasks.count
        tasks.append(Task(names: names, source: source))
        for name in names { byName[name, default: []].append(index) }
        let isNamed = names.contains { name in looked.contains(name) || fronts.contains { name.starts(with: $0) } }
        if isNamed || isEveryTask && !names.isEmpty { start(index) }
    }

    mutating func add(_ names: [[UInt8]], _ text: String) { add(names, .text(Array(text.utf8))) }

    mutating func start(_ index: Int) {
        if started.insert(index).inserted { ready.append(index) }
    }

    private mutating func look(for names: TaskNames) {
        for name in names.all where looked.insert(name).inserted {
            for index in byName[name] ?? [] { start(index) }
            for directory in directories.removeValue(forKey: name) ?? [] { takeSettings(of: directory) }
        }
        for front in names.fronts where fronts.count <= Self.mostFronts && fronts.insert(front).inserted {
            for (name, indices) in byName where name.starts(with: front) { for index in indices { start(index) } }
        }
        guard names.isEvery || fronts.count > Self.mostFronts, !isEveryTask else { return }
        isEveryTask = true
        for index in tasks.indices { start(index) }
    }

    private mutating func run(_ task: Task, _ waiting: inout [[UInt8]]) {
        switch task.source {
        case .text(let text):
            texts.add(text, isOfCommands: false)
            waiting.append(SensitiveNames.folded(text))
        case .file(let path, let kind):
            guard let text = read(path, as: kind) else { return }
            if let all = take(text, of: path, as: kind) {
                texts.add(settings: all)
                waiting.append(SensitiveNames.folded(all))
                takeFurther(in: all, of: path)
            }
        }
    }

    /// The text; nil where there is none, where it was read, or where it cannot be read and may name any file.
    private mutating func read(_ path: String, as kind: TaskFile) -> String? {
        // A file that a makefile includes may be another program's settings, too.
        let isOfWords = if case .words = kind { true } else { false }
        guard known.insert(isOfWords ? path + "/words" : path).inserted, root.disk.kind(of: path) == .file else {
            return nil
        }
        files += 1
        let text = files > Self.mostFiles ? nil : root.disk.text(of: path, limit: DiskLookups.longestManifest)
        bytes += text?.utf8.count ?? 0
        if text == nil || bytes > Self.mostBytes { texts.startsAny = true }
        return text
    }
}

// MARK: - Directories

extension ProjectTasks {
    /// Every package may be one that runs by its name, and every makefile one that another runs; other settings are those of
    /// the root, of the directories above it up to the repository's, and of directories that a text names.
    private mutating func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        for directory in root.nearTree.directories.dropFirst() {
            let name = TaskNames.last(of: directory.path)
            directories[name, default: []].append(directory)
            if directory.files.contains("package.json") {
                add(TaskNames.managers + [name], .file(PathText.join(directory.path, "package.json"), .package))
            }
            for file in directory.files {
                guard let kind = TaskFile(anywhere: SensitiveNames.folded(file.utf8)) else { continue }
                add(kind.programs, .file(PathText.join(directory.path, file), kind))
            }
            if name.elementsEqual("tasks".utf8) { add(TaskNames.programs("inv invoke"), "python3 tasks/*.py") }
        }
        if let top = root.nearTree.directories.first { takeSettings(of: top) }
        for directory in root.directoriesAbove { takeSettings(of: directory) }
    }

    private mutating func takeSettings(of directory: NearTree.Directory) {
        for name in directory.files { takeSettings(name, in: directory.path) }
        for hidden in directory.directories where TaskFile.ofHidden.contains(hidden) {
            let path = PathText.join(directory.path, hidden)
            for entry in root.disk.entries(in: path, atMost: Self.mostHidden) ?? [] where entry.kind == .other {
                takeSettings(entry.name, in: path, of: hidden)
            }
        }
    }

    private mutating func takeSettings(_ name: String, in directory: String, of hidden: String? = nil) {
        let folded = SensitiveNames.folded(name.utf8)
        guard let kind = TaskFile(folded, in: hidden) else { return }
        var names = TaskNames.programs(ofFile: folded) + kind.programs
        if let hidden { names += TaskNames.programs(ofFile: SensitiveNames.folded(hidden.utf8)) }
        if kind == .package {
            names = TaskNames.managers + TaskNames.interpreters + [TaskNames.last(of: directory)]
        }
        add(names, .file(PathText.join(directory, name), kind))
        // A program of the project's own needs no manager where it is installed.
        if kind == .sections || kind == .compiler { start(tasks.count - 1) }
    }
}
