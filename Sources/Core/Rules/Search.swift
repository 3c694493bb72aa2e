/// What a program that searches a directory opens there, and what is found of it.
struct Search {
    /// How the names end of files that are read, whether hidden, ignored or not; nil: all that are neither.
    let ends: [[UInt8]]?
    /// Names of what is left out.
    let passedOver: Set<String>
    let leavesHiddenOut: Bool
    let followsLinks: Bool
    /// How many names may still be looked at.
    var left = Place.mostNamesStaged
    /// Directories with sensitive files that would be read.
    var found: Set<String> = []

    /// Each is a rule of its own.
    static let mostFound = 12

    /// Grep's, which reads what its glob names wherever it lies.
    static func ofTool(ends: [[UInt8]], passedOver: Set<String>) -> Search {
        Search(ends: ends, passedOver: passedOver, leavesHiddenOut: false, followsLinks: true)
    }

    /// ripgrep's; `ignored` is nil where hidden and ignored files may be read.
    static func ofRipgrep(ends: [[UInt8]]?, ignored: Set<String>?) -> Search {
        Search(ends: ends, passedOver: ignored ?? [], leavesHiddenOut: ignored != nil, followsLinks: false)
    }

    /// The directories with sensitive files that ripgrep would read, each part of a key, behind "" for all others.
    static func homes(
        below paths: some Collection<ShellWord>, _ globs: [String], in place: Place
    ) throws(Refusal) -> [String] {
        let ends = globs.filter { $0.utf8.first != UInt8(ascii: "!") }.flatMap(SearchGlobs.ends)
        var search = ofRipgrep(ends: ends.isEmpty ? nil : ends, ignored: place.ground.namesLeftOut)
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

    /// - Parameter name: of the entry, without case.
    func comesTo(_ entry: DirectoryEntry, folded name: [UInt8]) -> Bool {
        if let ends, entry.kind != .directory {
            return ends.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
        }
        return !passedOver.contains(entry.name) && !(leavesHiddenOut && entry.name.utf8.first == UInt8(ascii: "."))
    }
}

extension Place {
    /// Notes where below a path a search would read files of sensitive names, or in directories of such names.
    func look(search: inout Search, below path: String) throws(Refusal) {
        try checkIsKnown(path)
        let top = resolve(path).path
        guard ground.disk.kind(of: top) == .directory else { return }
        var directories = [(path: top, isSensitive: false)]
        while let directory = directories.popLast() {
            guard let entries = ground.disk.entries(in: directory.path, atMost: search.left) else {
                throw .tooMuchBelow(path)
            }
            search.left -= entries.count
            for entry in entries {
                let name = SensitiveNames.folded(entry.name.utf8)
                guard search.comesTo(entry, folded: name) else { continue }
                let found = PathText.join(directory.path, entry.name)
                let isSensitive = directory.isSensitive || SensitiveNames.isSensitive(component: name)
                if entry.kind == .directory {
                    directories.append((found, isSensitive))
                } else if isSensitive {
                    search.found.insert(directory.path)
                } else if entry.kind == .link, search.followsLinks {
                    try checkLink(found, below: top)
                }
            }
        }
    }
}
