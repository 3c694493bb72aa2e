import Text

/// Simulates a recursive search: determines which files it would read, and collects the directories with sensitive
/// ones.
struct Search {
    /// The endings of the names of files that the search reads, hidden and ignored ones included; nil for all files
    /// that are neither hidden nor ignored.
    let ends: [[UInt8]]?
    /// The names that the search skips because of ignore files.
    let ignored: IgnoredNames
    /// The hidden names that the search skips.
    let leavesOut: Hidden
    let followsLinks: Bool
    /// The number of names that may still be visited.
    var left = Place.mostNamesStaged
    /// The directories with sensitive files that the search would read.
    var found: Set<String> = []

    /// The most such directories. Each makes a rule of its own, and a card shows all of them.
    static let mostFound = 12

    /// The hidden names that a search skips.
    enum Hidden: Int, Comparable {
        case repositories, directories, all

        static func < (one: Hidden, other: Hidden) -> Bool { one.rawValue < other.rawValue }
    }

    /// The tool Grep with a glob: it reads every file that the glob names.
    static func ofTool(ends: [[UInt8]]) -> Search {
        Search(ends: ends, ignored: IgnoredNames(in: "node_modules"), leavesOut: .repositories, followsLinks: true)
    }

    /// `rg`: with a type (`-t`) it also reads hidden files of that type.
    static func ofRipgrep(ends: [[UInt8]]?, hasTypes: Bool, ignored: IgnoredNames?) -> Search {
        Search(
            ends: ends, ignored: ignored ?? IgnoredNames(),
            leavesOut: ignored == nil ? .repositories : hasTypes ? .directories : .all, followsLinks: false)
    }

    /// Returns "" for the key without a directory, and each directory with sensitive files that ripgrep would read.
    static func homes(
        below paths: some Collection<ShellWord>, of words: [ShellWord], _ globs: [String], in place: Place
    ) throws(Refusal) -> [String] {
        let ends = globs.filter { $0.utf8.first != UInt8(ascii: "!") }.flatMap(SearchGlobs.ends)
        var search = ofRipgrep(
            ends: ends.isEmpty ? nil : ends, hasTypes: words.contains { mayNameType($0.value) },
            ignored: place.root.namesLeftOut)
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

    /// True for `-t`, also in a bundle, and for `--type`.
    private static func mayNameType(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-") else { return false }
        return word.hasPrefix("--type") || (!word.hasPrefix("--") && word.utf8.contains(UInt8(ascii: "t")))
    }

    /// True if the search reads or enters an entry.
    /// - Parameters:
    ///   - name: the entry's name, case-folded.
    ///   - isOpen: whether the search may read hidden and ignored names in this directory.
    func comesTo(_ entry: DirectoryEntry, folded name: [UInt8], isOpen: Bool) -> Bool {
        if let ends {
            // A directory with this ending is entered, as a file with it is read.
            let isNamed = ends.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
            if isNamed { return true }
            guard entry.kind == .directory else { return false }
        }
        return ignored.mayIncludeAgain(name) || !leaves(entry, isOpen) && (isOpen || !ignored.holds(entry))
    }

    /// True if the search enters a directory of version control, which ripgrep skips only as a hidden name.
    /// - Parameter isOpened: whether an ignore file below the root may include it again.
    func opensRepository(_ entry: DirectoryEntry, folded name: [UInt8], isOpened: Bool) -> Bool {
        guard !followsLinks, ends == nil, entry.kind == .directory, Self.repositories.contains(entry.name) else {
            return false
        }
        return isOpened || leavesOut == .repositories || ignored.mayIncludeAgain(name)
    }

    private func leaves(_ entry: DirectoryEntry, _ isOpen: Bool) -> Bool {
        guard entry.name.utf8.first == UInt8(ascii: ".") else { return false }
        switch isOpen ? min(leavesOut, .repositories) : leavesOut {
        case .repositories: return Self.repositories.contains(entry.name)
        case .directories: return entry.kind == .directory
        case .all: return true
        }
    }

    /// The directories of version control systems.
    static let repositories: Set<String> = [".bzr", ".git", ".hg", ".jj", ".sl", ".svn"]
}

extension Place {
    /// Adds to `search.found` each directory below the path in which the search would read a sensitive file.
    func look(search: inout Search, below path: String) throws(Refusal) {
        try checkIsKnown(path)
        let top = resolve(path).path
        guard root.disk.kind(of: top) == .directory else { return }
        let isOpen = !search.followsLinks && root.opensSearch(upFrom: top)
        let opensGit = !search.followsLinks && root.opensRepositories(upFrom: top)
        var directories = [(path: top, isSensitive: false, isOpen: isOpen, opensGit: opensGit)]
        while let directory = directories.popLast() {
            guard let entries = root.disk.entries(in: directory.path, atMost: search.left) else {
                throw .tooMuchBelow(path)
            }
            search.left -= entries.count
            let isOpen = directory.isOpen || (!search.followsLinks && root.opensSearch(in: directory.path, entries))
            let opensGit = directory.opensGit || (isOpen && root.opensRepositories(in: directory.path, entries))
            for entry in entries {
                let name = SensitiveNames.folded(entry.name.utf8)
                let found = PathText.join(directory.path, entry.name)
                if search.opensRepository(entry, folded: name, isOpened: opensGit) { search.found.insert(found) }
                guard search.comesTo(entry, folded: name, isOpen: isOpen) else { continue }
                let isSensitive = directory.isSensitive || SensitiveNames.isSensitive(component: name)
                if entry.kind == .directory {
                    directories.append((found, isSensitive, isOpen, opensGit))
                } else if isSensitive {
                    search.found.insert(directory.path)
                } else if entry.kind == .link, search.followsLinks {
                    try checkLink(found, below: top)
                }
            }
        }
    }
}
