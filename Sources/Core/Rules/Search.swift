/// What a program that searches a directory opens there, and what is found of it.
struct Search {
    /// How the names end of files that are read, whether hidden, ignored or not; nil: all that are neither.
    let ends: [[UInt8]]?
    /// What is left out.
    let ignored: IgnoredNames
    let leavesOut: Hidden
    let followsLinks: Bool
    /// How many names may still be looked at.
    var left = Place.mostNamesStaged
    /// Directories with sensitive files that would be read.
    var found: Set<String> = []

    /// Each is a rule of its own.
    static let mostFound = 12

    /// What is left out for its name.
    enum Hidden: Int, Comparable {
        case repositories, directories, all

        static func < (one: Hidden, other: Hidden) -> Bool { one.rawValue < other.rawValue }
    }

    /// Grep's, which reads what its glob names wherever it lies.
    static func ofTool(ends: [[UInt8]]) -> Search {
        Search(ends: ends, ignored: IgnoredNames(in: "node_modules"), leavesOut: .repositories, followsLinks: true)
    }

    /// ripgrep's. With a type of files it reads hidden ones of that type.
    static func ofRipgrep(ends: [[UInt8]]?, hasTypes: Bool, ignored: IgnoredNames?) -> Search {
        Search(
            ends: ends, ignored: ignored ?? IgnoredNames(),
            leavesOut: ignored == nil ? .repositories : hasTypes ? .directories : .all, followsLinks: false)
    }

    /// The directories with sensitive files that ripgrep would read, each part of a key, behind "" for all others.
    static func homes(
        below paths: some Collection<ShellWord>, of words: [ShellWord], _ globs: [String], in place: Place
    ) throws(Refusal) -> [String] {
        let ends = globs.filter { $0.utf8.first != UInt8(ascii: "!") }.flatMap(SearchGlobs.ends)
        var search = ofRipgrep(
            ends: ends.isEmpty ? nil : ends, hasTypes: words.contains { mayNameType($0.value) },
            ignored: place.ground.namesLeftOut)
        for word in paths.isEmpty ? [ShellWord(".")] : Array(paths) {
            let isGlob = word.marks == .glob && !word.isQuoted
            guard word.marks.isEmpty || isGlob else { throw .expansion(word.value) }
            for path in isGlob ? try place.expansions(ofGlob: word.value) : [word.value] {
                try place.look(search: &search, below: path)
            }
        }
        guard search.found.count <= mostFound else { throw .tooMuchBelow("rg") }
        var homes = [""]
        for directory in search.found.sorted() { homes.append(try place.named(ShellWord(directory))) }
        return homes
    }

    /// `-t`, also in a bundle, or `--type`.
    private static func mayNameType(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-") else { return false }
        return word.hasPrefix("--type") || (!word.hasPrefix("--") && word.utf8.contains(UInt8(ascii: "t")))
    }

    /// - Parameters:
    ///   - name: of the entry, without case.
    ///   - isOpen: neither hidden nor ignored names are left out here.
    func comesTo(_ entry: DirectoryEntry, folded name: [UInt8], isOpen: Bool) -> Bool {
        if let ends, entry.kind != .directory {
            return ends.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
        }
        return !leaves(entry, isOpen) && (isOpen || !ignored.holds(entry))
    }

    private func leaves(_ entry: DirectoryEntry, _ isOpen: Bool) -> Bool {
        guard entry.name.utf8.first == UInt8(ascii: ".") else { return false }
        switch isOpen ? min(leavesOut, .repositories) : leavesOut {
        case .repositories: return Self.repositories.contains(entry.name)
        case .directories: return entry.kind == .directory
        case .all: return true
        }
    }

    private static let repositories: Set<String> = [".bzr", ".git", ".hg", ".jj", ".sl", ".svn"]
}

extension Place {
    /// Notes where below a path a search would read files of sensitive names, or in directories of such names.
    func look(search: inout Search, below path: String) throws(Refusal) {
        try checkIsKnown(path)
        let top = resolve(path).path
        guard ground.disk.kind(of: top) == .directory else { return }
        var directories = [(path: top, isSensitive: false, isOpen: false)]
        while let directory = directories.popLast() {
            guard let entries = ground.disk.entries(in: directory.path, atMost: search.left) else {
                throw .tooMuchBelow(path)
            }
            search.left -= entries.count
            let isOpen = directory.isOpen || (!search.followsLinks && ground.opensSearch(in: directory.path, entries))
            for entry in entries {
                let name = SensitiveNames.folded(entry.name.utf8)
                guard search.comesTo(entry, folded: name, isOpen: isOpen) else { continue }
                let found = PathText.join(directory.path, entry.name)
                let isSensitive = directory.isSensitive || SensitiveNames.isSensitive(component: name)
                if entry.kind == .directory {
                    directories.append((found, isSensitive, isOpen))
                } else if isSensitive {
                    search.found.insert(directory.path)
                } else if entry.kind == .link, search.followsLinks {
                    try checkLink(found, below: top)
                }
            }
        }
    }
}
