import Text

/// Texts with commands that some program runs by itself, such as hooks, and may start files of the project with.
struct CommandTexts {
    struct Text {
        /// Holds what shells could read as words, without quotation.
        let written: [UInt8]
        /// The same, case folded.
        let bytes: [UInt8]
        /// True where any word may be a file to be run; in other texts a word without a directory has to stand behind a
        /// program that runs files, or be the whole name.
        let isOfCommands: Bool
        let directories: StartedDirectories
        let modules: ImportedModules
        /// Nil for scripts, of which only few words are looked at.
        let read: ReadWords?
        /// The directories of the script whose text it is, as paths are given; empty for settings and their like.
        let bases: [[[UInt8]]]

        /// True for the settings of some program, which name texts too that they have it read.
        let isOfSettings: Bool

        /// False where only what the text names counts.
        let isSearched: Bool

        fileprivate func holds(_ names: ScriptNames) -> Bool {
            if isOfSettings, names.areOfText { return false }
            if !isSearched { return names.areNamed(in: bytes, read: read) }
            return names.areOf(modules, bases: bases)
                || (bases.isEmpty
                    ? names.areIn(bytes, anyWord: isOfCommands, read: read) : names.areIn(script: bytes, in: bases))
        }
    }

    private(set) var texts: [Text] = []
    /// A text was not read, so that any file may be started.
    var startsAny = false
    /// Bytes that are looked through for each name.
    var size: Int { texts.reduce(0) { $0 + $1.bytes.count } }

    private static let quotes = Array("\"'\\".utf8)

    mutating func add(_ text: some Collection<UInt8>, isOfCommands: Bool) {
        add(text, isOfCommands: isOfCommands, ofScriptIn: [])
    }

    /// Adds the settings of a program that starts what they name.
    mutating func add(settings text: some Collection<UInt8>) {
        add(text, isOfCommands: false, ofScriptIn: [], isOfSettings: true)
    }

    /// The same for a text of which only the files count that it names, not what its programs start without their names.
    mutating func add(named text: some Collection<UInt8>) {
        add(text, isOfCommands: false, ofScriptIn: [], isOfSettings: true, isSearched: false)
    }

    /// Those that were added behind the first `count`.
    func added(since count: Int) -> CommandTexts {
        var found = CommandTexts()
        found.texts = Array(texts.dropFirst(count))
        found.startsAny = startsAny
        return found
    }

    /// Adds the text of a script.
    /// - Parameters:
    ///   - bases: its directories, relative to the project's if they lie below it.
    mutating func add(script text: some Collection<UInt8>, in bases: [String]) {
        add(text, isOfCommands: false, ofScriptIn: bases)
    }

    private mutating func add(
        _ text: some Collection<UInt8>, isOfCommands: Bool, ofScriptIn bases: [String], isOfSettings: Bool = false,
        isSearched: Bool = true
    ) {
        let text = Array(text)
        // `$'…'` is kept as it is written too: in another quotation it is no quotation.
        let read = ShellGlance.dollarQuotesRead(in: text).map { [0x0A] + $0 } ?? []
        let written = (text + read).filter { !Self.quotes.contains($0) }
        let bytes = SensitiveNames.folded(written)
        texts.append(
            Text(
                written: written, bytes: bytes, isOfCommands: isOfCommands,
                directories: StartedDirectories(in: isSearched ? bytes : []),
                modules: ImportedModules(in: isSearched ? bytes : []), read: bases.isEmpty ? ReadWords(in: bytes) : nil,
                bases: bases.map(Self.parts), isOfSettings: isOfSettings, isSearched: isSearched))
    }

    private static func parts(_ path: String) -> [[UInt8]] {
        PathText.components(path).map { SensitiveNames.folded($0) }
    }

    /// True if a text names the file, with or without its directory, its suffix, and `index` or `__main__`, or the directory
    /// with all that is in it.
    /// - Parameter path: relative to the project's directory if the file lies below it.
    func start(_ path: Substring.UTF8View) -> Bool {
        guard !startsAny, let names = ScriptNames(path) else { return startsAny }
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        return texts.contains { $0.holds(names) || $0.directories.contain(parts, bases: $0.bases) }
            || names.ends.contains { mayHoldUnusual($0, of: names) }
    }

    /// True if a text may hold this end of a path, whose bytes are not all of words. Shells quote such bytes in many ways,
    /// so it is looked for anywhere, and a letter beyond ASCII, which may be composed in several ways, may be any other. Many
    /// a script has such letters in what it prints: they count only for files beside it.
    private func mayHoldUnusual(_ end: [UInt8], of names: ScriptNames) -> Bool {
        guard !end.allSatisfy(ShellCharacters.isFirstWord) else { return false }
        let hasLetters = end.contains { $0 >= 0x80 }
        return texts.contains { text in
            text.bytes.firstPlace(of: end) != nil
                || hasLetters && text.bytes.contains { $0 >= 0x80 }
                    && (text.bases.isEmpty || text.bases.contains { names.areBelow($0, in: text.bytes) })
        }
    }
}
