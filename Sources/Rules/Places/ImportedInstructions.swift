/// The files that the agent reads as instructions because its instructions name them as `@path`, or files that these name.
///
/// Claude Code follows such names in `CLAUDE.md` and its like, five files deep, but not in code and comments; here they count
/// everywhere, and as deep as they go.
struct ImportedInstructions {
    /// After links, case-folded.
    private var paths: Set<String> = []
    /// There were more than are looked at, so that any file may be read.
    private(set) var importsAny = false
    private var known: Set<String> = []
    private var resolvedBases: [String: Base] = [:]
    private var count = 0

    /// A directory from which names count: where it lies after links, and what is in it.
    private struct Base {
        let path: String
        let names: Set<String>
    }

    /// The most files that are read, and the most names that are looked up.
    private static let mostFiles = 100
    private static let mostNames = 1000

    /// - Parameter path: absolute, after links.
    func contain(_ path: String) -> Bool { importsAny || paths.contains(SensitiveNames.folded(path: path)) }

    /// Adds what a text names.
    /// - Parameter file: where the text lies.
    mutating func take(_ text: String, of file: String, on root: SessionRoot) {
        guard known.insert(file).inserted else { return }
        var waiting = [(file: file, text: text)]
        while let next = waiting.popLast() {
            for path in targets(in: next.text, of: next.file, on: root) {
                paths.insert(SensitiveNames.folded(path: path))
                guard !importsAny, known.insert(path).inserted, root.disk.kind(of: path) == .file else { continue }
                if known.count > Self.mostFiles {
                    importsAny = true
                } else if let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) {
                    waiting.append((path, text))
                } else if WrittenNames.hasKnownSuffix(Array(SensitiveNames.folded(path: path).utf8)) {
                    importsAny = true
                }
            }
        }
    }

    /// The files that a text names: from its own directory, from the one to which a link in its place leads, and, as in a
    /// command's text, from the root.
    private mutating func targets(in text: String, of file: String, on root: SessionRoot) -> Set<String> {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let names = ImportNames.all(in: text)
        count += names.count
        guard count <= Self.mostNames else {
            importsAny = true
            return []
        }
        let bases = Set([
            PathText.directory(of: file), PathText.directory(of: root.resolve(file).path), root.context.root,
        ])
        var found: Set<String> = []
        for name in names {
            if name.utf8.starts(with: "~/".utf8) {
                found.insert(target(String(name.dropFirst(2)), from: root.context.home, on: root))
            } else if PathText.isAbsolute(name) {
                found.insert(root.resolve(PathText.normalize(name, from: "/")).path)
            } else {
                for base in bases { found.insert(target(name, from: base, on: root)) }
            }
        }
        return found
    }

    /// The file after links. What does not exist, as most words behind an `@` do not, costs no lookup.
    private mutating func target(_ name: String, from directory: String, on root: SessionRoot) -> String {
        let path = PathText.normalize(name, from: directory)
        let base = base(directory, on: root)
        guard let below = PathText.remainder(of: path, below: directory), let first = PathText.components(below).first,
            !base.names.contains(SensitiveNames.folded(path: String(Substring(first))))
        else { return root.resolve(path).path }
        return PathText.join(base.path, String(Substring(below)))
    }

    private mutating func base(_ directory: String, on root: SessionRoot) -> Base {
        if let base = resolvedBases[directory] { return base }
        let path = root.resolve(directory).path
        let base = Base(path: path, names: Set((root.disk.names(in: path) ?? []).map(SensitiveNames.folded(path:))))
        resolvedBases[directory] = base
        return base
    }
}

/// Finds the names behind `@` in a text, each in every way in which it may end.
enum ImportNames {
    /// Markup or a sentence may end a name before one of these.
    private static let ends = Array("*_~`<>[](){}|\"',;:!?\\".utf8)
    /// The most ends that are tried for one name.
    private static let mostEnds = 8

    static func all(in text: String) -> Set<String> {
        let bytes = Array(text.utf8)
        var found: Set<String> = []
        for index in bytes.indices where bytes[index] == UInt8(ascii: "@") {
            // In an address of mail, and in a path, it begins no name.
            if index > 0, isOfWord(bytes[index - 1]) { continue }
            let word = word(bytes[(index + 1)...])
            for reading in readings(of: word) { found.insert(String(decoding: reading, as: UTF8.self)) }
        }
        return found
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || "./-+%".utf8.contains(byte)
    }

    /// Up to a blank, unless a backslash stands before it, and without what follows `#`.
    private static func word(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var word: [UInt8] = []
        for (index, byte) in zip(bytes.indices, bytes) {
            if byte == UInt8(ascii: "#") { break }
            guard byte > 0x20 || byte == 0x20 && word.last == UInt8(ascii: "\\") else { break }
            if byte == 0x20 { word.removeLast() }
            word.append(byte)
            if index - bytes.startIndex >= DiskLookups.longestPath { break }
        }
        return word
    }

    /// Returns what stands in front of each blank beyond ASCII, such as U+3000: Claude Code ends a name there.
    private static func blanks(in word: [UInt8]) -> [[UInt8]] {
        guard word.contains(where: { $0 >= 0x80 }) else { return [] }
        let text = String(decoding: word, as: UTF8.self)
        return text.unicodeScalars.indices
            .filter { text.unicodeScalars[$0].properties.isWhitespace || text.unicodeScalars[$0] == "\u{FEFF}" }
            .map { Array(text.utf8[..<$0]) }
    }

    private static func readings(of word: [UInt8]) -> Set<[UInt8]> {
        guard let first = word.first, ShellCharacters.isAlphanumeric(first) || "./~_-".utf8.contains(first) else {
            return []
        }
        var readings: Set<[UInt8]> = [word, word.filter { $0 != UInt8(ascii: "\\") }]
        for end in word.indices.filter({ ends.contains(word[$0]) }).prefix(mostEnds) {
            readings.insert(Array(word[..<end]))
        }
        for end in blanks(in: word).prefix(mostEnds) { readings.insert(end) }
        for reading in readings {
            let end = reading.lastIndex { !".,;:!?".utf8.contains($0) }
            readings.insert(Array(reading[..<(end.map { $0 + 1 } ?? 0)]))
        }
        return readings.filter { !$0.isEmpty }
    }
}
