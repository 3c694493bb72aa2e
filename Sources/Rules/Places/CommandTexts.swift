import Text

/// Texts with commands that some program runs by itself, such as hooks, and may start files of the project with.
struct CommandTexts {
    private struct Text {
        /// Holds what shells could read as words, case folded and without quotation.
        let bytes: [UInt8]
        /// True where any word may be a file to be run; in other texts a word without a directory has to stand behind a
        /// program that runs files, or be the whole name.
        let isOfCommands: Bool
        let directories: StartedDirectories
    }

    private var texts: [Text] = []
    /// A text was not read, so that any file may be started.
    var startsAny = false
    /// Bytes that are looked through for each name.
    var size: Int { texts.reduce(0) { $0 + $1.bytes.count } }

    private static let quotes = Array("\"'\\".utf8)

    mutating func add(_ text: some Collection<UInt8>, isOfCommands: Bool) {
        let text = Array(text)
        // `$'…'` is kept as it is written too: in another quotation it is no quotation.
        let read = ShellGlance.dollarQuotesRead(in: text).map { [0x0A] + $0 } ?? []
        let bytes = SensitiveNames.folded((text + read).filter { !Self.quotes.contains($0) })
        texts.append(Text(bytes: bytes, isOfCommands: isOfCommands, directories: StartedDirectories(in: bytes)))
    }

    /// True if a text names the file, with or without its directory, its suffix, and `index` or `__main__`, or the directory
    /// with all that is in it.
    func start(_ path: Substring.UTF8View) -> Bool {
        guard !startsAny, let names = ScriptNames(path) else { return startsAny }
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        return texts.contains { names.areIn($0.bytes, anyWord: $0.isOfCommands) || $0.directories.contain(parts) }
            || names.ends.contains(where: mayHoldUnusual)
    }

    /// True if a text may hold this end of a path, whose bytes are not all of words. Shells quote such bytes in many ways,
    /// so it is looked for anywhere, and a letter beyond ASCII, which may be composed in several ways, may be any other.
    private func mayHoldUnusual(_ end: [UInt8]) -> Bool {
        guard !end.allSatisfy(ShellCharacters.isFirstWord) else { return false }
        let hasLetters = end.contains { $0 >= 0x80 }
        return texts.contains { $0.bytes.firstPlace(of: end) != nil || hasLetters && $0.bytes.contains { $0 >= 0x80 } }
    }
}
