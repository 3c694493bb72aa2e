import OrderedJSON

/// The patterns of Glob and Grep: one that names hidden or foreign files reaches what a rule for a directory does not mean.
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

    /// The components before the first with a glob in it; all but the last where none has one.
    static func front(of glob: String) -> String {
        guard glob.utf8.count < DiskQuestions.longestPath else { return "" }
        let parts = PathText.components(glob)
        let plain = parts.dropLast().prefix { !$0.contains { "*?[{".utf8.contains($0) } }
        return plain.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Relative, no `..`, no name that is hidden or sensitive, also inside braces.
    private static func isPlain(_ glob: String) -> Bool {
        guard glob.utf8.count < DiskQuestions.longestPath else { return false }
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

    /// What a search reads where it is told to, also where hidden or ignored: a name, `*.suffix` or `*.{one,other}`.
    private static func isNarrow(_ glob: String) -> Bool {
        let parts = PathText.components(glob)
        // Claude Code takes what commas part for several globs, wherever they stand.
        guard let last = parts.last,
            !parts.dropLast().contains(where: { $0.contains { $0 == UInt8(ascii: ",") || isBrace($0) } })
        else { return false }
        let name = String(Substring(last))
        if name.utf8.allSatisfy(ShellCharacters.isFirstWord) { return true }
        guard name.hasPrefix("*.{"), name.hasSuffix("}") else { return WordShapes.isGlob(name) }
        return name.dropFirst(3).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            .allSatisfy { WordShapes.isGlob("*." + $0) }
    }

    /// How the names end that a narrow glob stands for, without case.
    static func ends(of glob: String) -> [[UInt8]] {
        guard let last = PathText.components(glob).last else { return [] }
        let name = SensitiveNames.folded(last)
        guard name.first == UInt8(ascii: "*") else { return [name] }
        let rest = name.dropFirst()
        guard let brace = rest.firstIndex(of: UInt8(ascii: "{")) else { return [Array(rest)] }
        return rest[(brace + 1)...].dropLast().split(separator: UInt8(ascii: ",")).map { Array(rest[..<brace] + $0) }
    }

    /// A word without a glob, or one of files with a suffix of a source language: `src/**/*.{ts,tsx}`.
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
