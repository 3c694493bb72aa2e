import Text

/// Settings that are found by their path, in a text of commands or in other settings.
extension ProjectTasks {
    /// The most files that texts give to programs, each of which is compared with the names of all files near.
    private static let mostGiven = 64

    /// Takes settings that a program is given: `task -t ci/tasks.yml`, and `"dockerComposeFile": "dev.yml"`, whose value is a
    /// line of its own. Those that it only reads do not count: `prettier --check x.json`.
    mutating func takeGiven(in text: [UInt8]) {
        var read: ReadWords?
        for line in text.split(separator: 0x0A) {
            var last: ArraySlice<UInt8> = []
            let words = line.split { !ShellCharacters.isFirstWord($0) }
            for word in words {
                let isGiven = words.count == 1 || last.first == UInt8(ascii: "-")
                last = word
                guard isGiven, FileKinds.settings.contain(Array(word)), isNear(word), !given.contains(word) else {
                    continue
                }
                let known = read ?? ReadWords(in: text)
                read = known
                if !known.contain(word) { takeGiven(word) }
            }
        }
    }

    private func isNear(_ word: ArraySlice<UInt8>) -> Bool {
        root.nearFileNames.contains(TaskNames.last(of: String(decoding: word, as: UTF8.self)))
    }

    private mutating func takeGiven(_ word: ArraySlice<UInt8>) {
        guard let kind = TaskFile(named: Array(word)) else { return }
        given.insert(word)
        if given.count > Self.mostGiven { texts.startsAny = true }
        guard !texts.startsAny else { return }
        for path in root.nearTree.files(matching: PathGlob(Array(word))) { start(path, kind) }
    }

    private mutating func start(_ path: String, _ kind: TaskFile) {
        add([], .file(path, kind))
        start(tasks.count - 1)
    }

    /// Takes further settings that some name: `extends: ./base.json`, `includes: {ci: ./ci/tasks.yml}`.
    mutating func takeFurther(in text: [UInt8], of path: String) {
        for word in Set(text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) })) {
            let paths = files(Array(word), from: PathText.directory(of: path))
            guard !paths.isEmpty, let kind = TaskFile(named: SensitiveNames.folded(word)) else { continue }
            for path in paths { start(path, kind) }
        }
    }

    /// The files that a path may name from a directory or from the top, as far as one of that name lies near.
    func files(_ word: [UInt8], from directory: String) -> [String] {
        let path = String(decoding: word, as: UTF8.self)
        let isAway = word.first == UInt8(ascii: "/") || word.starts(with: "..".utf8)
        guard root.nearFileNames.contains(TaskNames.last(of: path)) || isAway else { return [] }
        return Set([directory, root.resolved.path]).map { PathText.normalize(path, from: $0) }.sorted()
    }
}
