/// The directories of which a text of commands starts files without their names: `for f in tools/*.sh`, `node .`,
/// `find tools -exec sh`, `go run ./cmd/server`, and those in which its programs look for what they load: `PYTHONPATH=lib`.
///
/// A pattern that programs only read files by does not count, as in `eslint src/**/*.ts`.
struct StartedDirectories {
    private let list: [StartedDirectory]
    /// Names of packages that are loaded, and of programs that may be theirs.
    let loaded: [[UInt8]]
    var isEmpty: Bool { list.isEmpty }
    var count: Int { list.count }

    /// - Parameter text: case folded and without quotation.
    init(in text: [UInt8]) {
        var reader = DirectoryReader(text)
        list = reader.read()
        loaded = reader.loaded
    }

    /// True if the path's file is one of a directory's.
    /// - Parameters:
    ///   - parts: relative to the project's directory if the file lies below it.
    ///   - bases: the directories of the script whose text it is, and empty for settings, which are read at the top.
    func contain(_ parts: [[UInt8]], bases: [[[UInt8]]]) -> Bool {
        guard !list.isEmpty, let name = parts.last else { return false }
        return list.contains { $0.kinds.contain(name) && $0.contains(parts.dropLast(), bases: bases) }
    }
}

/// A directory of which files of some kinds are started.
struct StartedDirectory {
    enum Place {
        /// It is not known which.
        case anywhere
        /// Where the commands run, which is the top or, for a script, may be its own directory or one above.
        case here
        /// The same, with all below it.
        case treeHere
        /// So many levels above the script, with all below.
        case above(Int)
        /// With all below it, by the last two parts, as far as there are two.
        case named([[UInt8]])
    }

    let place: Place
    let kinds: FileKinds

    func contains(_ directory: ArraySlice<[UInt8]>, bases: [[[UInt8]]]) -> Bool {
        switch place {
        case .anywhere: true
        // The top and with it all below are among the directories in which a script may run.
        case .treeHere: true
        case .here: directory.isEmpty || bases.contains { $0.starts(with: directory) }
        case .above(let levels):
            bases.isEmpty || bases.contains { directory.starts(with: $0.dropLast(levels)) }
        case .named(let parts): directory.indices.contains { Self.parts(directory[...$0], end: parts) }
        }
    }

    /// True if the last two parts are the same. A part in front of a directory of the root may be a variable's.
    private static func parts(_ parts: ArraySlice<[UInt8]>, end directory: [[UInt8]]) -> Bool {
        guard parts.last == directory.last else { return false }
        guard let above = parts.dropLast().last, directory.count > 1 else { return true }
        return above == directory[0]
    }
}
