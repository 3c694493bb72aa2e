import OrderedJSON

/// Checks of the patterns of Glob and Grep. A rule for a directory does not cover patterns that name hidden files or
/// files outside.
enum SearchGlobs {
    static func arePlain(tool: String, input: JSON) -> Bool {
        switch tool {
        case "Glob": return input["pattern"]?.stringValue.map(isPlain) ?? false
        case "Grep":
            guard let glob = input["glob"] else { return true }
            return glob.stringValue.map { isPlain($0) && isNarrow($0) } ?? false
        default: return true
        }
    }

    /// The components before the first with a wildcard; without a wildcard, all but the last.
    static func front(of glob: String) -> String {
        guard glob.utf8.count < DiskLookups.longestPath else { return "" }
        let parts = PathText.components(glob)
        let plain = parts.dropLast().prefix { !$0.contains { "*?[{".utf8.contains($0) } }
        return plain.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// True if a glob is relative, without `..`, and without hidden or sensitive names, also inside braces.
    private static func isPlain(_ glob: String) -> Bool {
        guard glob.utf8.count < DiskLookups.longestPath else { return false }
        let bytes = Array(glob.utf8)
        guard let first = bytes.first, first != UInt8(ascii: "/"), bytes.allSatisfy(isGlobByte) else { return false }
        var isStart = true
        for byte in bytes {
            if isStart, byte == UInt8(ascii: ".") { return false }
            isStart = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: ",")
        }
        let names = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ",") || isBrace($0) }
        return !names.contains {
            SensitiveNames.isSensitive(component: $0) || SensitiveNames.isSensitive(component: "x.".utf8 + $0)
        }
    }

    /// True if a glob is a name, `*.suffix` or `*.{one,other}` of harmless suffixes. A search reads the files that its
    /// glob names even if they are hidden or ignored.
    private static func isNarrow(_ glob: String) -> Bool {
        let parts = PathText.components(glob)
        // Claude Code splits a glob at every comma into several globs.
        guard let last = parts.last,
            !parts.dropLast().contains(where: { $0.contains { $0 == UInt8(ascii: ",") || isBrace($0) } })
        else { return false }
        let name = String(Substring(last))
        if name.utf8.allSatisfy(ShellCharacters.isFirstWord) { return true }
        guard name.hasPrefix("*.{"), name.hasSuffix("}") else { return WordShapes.isGlob(name) }
        return name.dropFirst(3).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            .allSatisfy { WordShapes.isGlob("*." + $0) }
    }

    /// The endings of the names that a glob matches, case-folded; nil where it may match any.
    static func narrowEnds(of glob: String) -> [[UInt8]]? {
        guard glob.utf8.first != UInt8(ascii: "!"), let last = PathText.components(glob).last,
            glob.utf8.last != UInt8(ascii: "/")
        else { return nil }
        let name = String(Substring(last))
        // A plain name may be that of a directory, of which everything is searched.
        guard name.utf8.first == UInt8(ascii: "*"), isNarrow(name) else { return nil }
        return ends(of: name)
    }

    /// The endings of the names that a narrow glob matches, case-folded.
    static func ends(of glob: String) -> [[UInt8]] {
        guard let last = PathText.components(glob).last else { return [] }
        let name = SensitiveNames.folded(last)
        guard name.first == UInt8(ascii: "*") else { return [name] }
        let rest = name.dropFirst()
        guard let brace = rest.firstIndex(of: UInt8(ascii: "{")) else { return [Array(rest)] }
        return rest[(brace + 1)...].dropLast().split(separator: UInt8(ascii: ",")).map { Array(rest[..<brace] + $0) }
    }

    /// True if a word has no wildcard, or matches only files with suffixes of source languages: `src/**/*.{ts,tsx}`.
    static func namesSources(_ word: String) -> Bool {
        let parts = PathText.components(word).map { String(Substring($0)) }
        guard let last = parts.last, word.utf8.contains(where: isWild) else { return true }
        return parts.dropLast().allSatisfy { $0 == "*" || $0 == "**" || !$0.utf8.contains(where: isWild) }
            && last.utf8.contains(where: isWild) && last.utf8.first == UInt8(ascii: "*") && isNarrow(last)
    }

    private static func isWild(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    private static func isBrace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
    }

    private static func isGlobByte(_ byte: UInt8) -> Bool {
        ShellCharacters.isFirstWord(byte) || isBrace(byte) || "*?,[]@".utf8.contains(byte)
    }
}
