import Text

/// The plain names of an ignore file: lines without a path, a glob or a `!`.
struct IgnoredNames {
    private var anything: Set<String> = []
    /// Names followed by `/`, which match directories only.
    private var directories: Set<String> = []
    /// The last components of negated lines (`!…`). A search includes the names that they may match.
    private var negatedLines: [NegatedLine] = []

    init() {}

    init(in text: String) {
        for line in text.pieces(at: "\n") {
            let isDirectory = line.utf8.last == UInt8(ascii: "/")
            let name = isDirectory ? line.dropLast() : line
            guard !name.isEmpty,
                name.utf8.allSatisfy({ ShellCharacters.isFirstWord($0) && $0 != UInt8(ascii: "/") })
            else { continue }
            if isDirectory { directories.insert(String(name)) } else { anything.insert(String(name)) }
        }
    }

    func holds(_ entry: DirectoryEntry) -> Bool {
        anything.contains(entry.name) || (entry.kind == .directory && directories.contains(entry.name))
    }

    // MARK: - Lines with `!`

    /// The most negated lines, because each is compared with every name.
    private static let mostNegatedLines = 64

    /// Reads the negated lines of `text`. Returns false where there are too many. Ripgrep ignores white space at their
    /// end.
    mutating func addNegatedLines(of text: String) -> Bool {
        for line in text.pieces(at: "\n") where SessionRoot.hasNegatedLine(String(line)) {
            let pattern = line.utf8.drop { $0 == UInt8(ascii: "!") || $0 >= 0x80 }.reversed().drop { $0 <= 0x20 }
                .reversed()
            negatedLines.append(NegatedLine(Self.lastName(of: Self.withoutCases(pattern))))
        }
        return negatedLines.count <= Self.mostNegatedLines
    }

    /// The last component of a pattern. Empty, which matches any name, if a class of characters may match or contain a
    /// `/`.
    private static func lastName(of pattern: [UInt8]) -> [UInt8] {
        guard !pattern.contains(where: { "[]{}\\".utf8.contains($0) }) else { return [] }
        return PathText.components(String(decoding: pattern, as: UTF8.self)).last.map(SensitiveNames.folded) ?? []
    }

    /// The pattern with `c` for `[Cc]`, because names are compared without case.
    private static func withoutCases(_ pattern: some Collection<UInt8>) -> [UInt8] {
        var rest = Array(pattern)[...]
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            let letters = Array(rest.prefix(2))
            guard byte == UInt8(ascii: "["), rest.dropFirst(2).first == UInt8(ascii: "]"),
                letters.allSatisfy(ShellCharacters.isLetter), letters[0] | 0x20 == letters[1] | 0x20
            else {
                text.append(byte)
                continue
            }
            text.append(letters[0])
            rest = rest.dropFirst(3)
        }
        return text
    }

    /// True if a negated line may match the name, decided by the line's plain start and end.
    /// - Parameter name: case-folded.
    func mayIncludeAgain(_ name: [UInt8]) -> Bool {
        negatedLines.contains { $0.mayStand(for: name) }
    }
}

/// A negated line, reduced to the plain start and end of its last component.
private struct NegatedLine {
    private let start: [UInt8]
    private let end: [UInt8]
    /// True if the component contains no `*` or `?`.
    private let isExact: Bool

    init(_ pattern: [UInt8]) {
        let isPlain = { (byte: UInt8) in !"*?".utf8.contains(byte) }
        let isUnderstood = !pattern.isEmpty && pattern.allSatisfy { (0x21...0x7E).contains($0) }
        start = isUnderstood ? Array(pattern.prefix(while: isPlain)) : []
        end = isUnderstood ? Array(pattern.reversed().prefix(while: isPlain).reversed()) : []
        isExact = isUnderstood && start.count == pattern.count
    }

    func mayStand(for name: [UInt8]) -> Bool {
        isExact
            ? name == start
            : name.count >= start.count && name.starts(with: start) && name.suffix(end.count).elementsEqual(end)
    }
}

extension SessionRoot {
    private static let longestIgnoreFile = 65_536

    /// The plain names in the root's own `.gitignore`. Git skips them, and they contain most files of a project.
    func readIgnoredNames() -> IgnoredNames {
        // With a negated line in the file no name is certain to be skipped.
        guard let text = ownIgnoreFile, !Self.hasNegatedLine(text) else { return IgnoredNames() }
        return IgnoredNames(in: text)
    }

    private var ownIgnoreFile: String? {
        // Git does not follow a link in place of this file.
        let path = PathText.join(resolved.path, ".gitignore")
        return disk.entry(at: path) == .plain ? disk.text(of: path, limit: Self.longestIgnoreFile) : nil
    }

    /// True if a `.gitignore` between the directory and the root has negated lines, which may include names again.
    func hasNegatedLine(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory) { hasNegatedLine(in: $0, by: Self.ignoreFiles[..<1]) }
    }

    /// True if `isSo` holds for the directory or a directory above it, up to but not including the root.
    func isSomewhere(upFrom directory: String, _ isSo: (String) -> Bool) -> Bool {
        var directory = directory
        while !PathText.same(directory, resolved.path), PathText.contains(resolved.path, directory) {
            if isSo(directory) { return true }
            directory = PathText.directory(of: directory)
        }
        return false
    }

    /// The ignore files that ripgrep reads. The first two count in repositories only.
    static let ignoreFiles = [".gitignore", ".git/info/exclude", ".ignore", ".rgignore"]

    func isThere(_ name: String, in directory: String) -> Bool {
        disk.entry(at: PathText.join(directory, name)) != .missing
    }

    /// The text of an ignore file; links are followed, as ripgrep does. Nil if the file is too large or not UTF-8.
    func text(ofIgnoreFile name: String, in directory: String) -> String? {
        disk.text(of: PathText.join(directory, name), limit: Self.longestIgnoreFile)
    }

    /// True if an ignore file in exactly this directory has negated lines, or cannot be read.
    func hasNegatedLine(in directory: String) -> Bool { hasNegatedLine(in: directory, by: Self.ignoreFiles[...]) }

    func hasNegatedLine(in directory: String, by files: ArraySlice<String>) -> Bool {
        files.contains { name in
            isThere(name, in: directory)
                && (text(ofIgnoreFile: name, in: directory).map { Self.hasNegatedLine($0) } ?? true)
        }
    }

    /// True if the text has a negated line. Git ignores a byte order mark at the start.
    static func hasNegatedLine(_ text: String) -> Bool {
        text.pieces(at: "\n").contains { line in
            line.utf8.first == UInt8(ascii: "!") || line.utf8.starts(with: "\u{FEFF}!".utf8)
        }
    }
}
