import Text

/// The names by which a file may be started: `tools/status.js` is also `tools/status` to node, and `tools/status/index.js`
/// too.
struct ScriptNames {
    /// The file's name, and its directory with the file without a suffix, for texts that write them in unusual ways.
    let ends: [[UInt8]]
    private let name: [UInt8]
    /// Paths without what may be left out, the last first.
    private let stems: [[[UInt8]]]

    init?(_ path: Substring.UTF8View) {
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        guard let name = parts.last else { return nil }
        let directory = Array(parts.dropLast())
        let dot = UInt8(ascii: ".")
        let shortest = Array(name.prefix { $0 != dot })
        let longest = Array(name[..<(name.lastIndex(of: dot) ?? name.endIndex)])
        self.name = name
        let isEntry = Self.entries.contains(shortest) && !directory.isEmpty
        stems = [shortest, longest].map { directory + [$0] } + (isEntry ? [directory] : [])
        ends = [name, Array((directory.suffix(1) + [shortest]).joined(separator: "/".utf8))]
    }

    /// Programs that are given a directory start these files of it.
    private static let entries = Set(["__init__", "__main__", "index", "main", "mod"].map { Array($0.utf8) })

    /// True if a word of the text is one of the names.
    /// - Parameter anyWord: whether a word may be a file wherever it stands: `npx nodemon server`.
    func areIn(_ text: [UInt8], anyWord: Bool) -> Bool {
        guard stems.contains(where: { $0.last.flatMap(text.firstPlace) != nil }) else { return false }
        var last: ArraySlice<UInt8> = []
        for word in text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) {
            let parts = word.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
            if parts.last?.elementsEqual(name) == true { return true }
            let isStarted = anyWord || parts.count > 1 || Self.starts(last)
            if isStarted, stems.contains(where: { Self.parts(parts, end: $0) }) { return true }
            last = word
        }
        return false
    }

    /// True if the last two parts are the same. A part in front of a name of the root may be a variable's, and `..` any.
    private static func parts(_ parts: [ArraySlice<UInt8>], end stem: [[UInt8]]) -> Bool {
        guard let name = parts.last, stem.last?.elementsEqual(name) == true else { return false }
        guard let directory = parts.dropLast().last, stem.count > 1 else { return true }
        return directory.elementsEqual("..".utf8) || stem[stem.count - 2].elementsEqual(directory)
    }

    /// True if the word behind this one may be a file to be run: `cd tools && node status`.
    private static func starts(_ word: ArraySlice<UInt8>) -> Bool {
        word.first == UInt8(ascii: "-")
            || word.split(separator: UInt8(ascii: "/")).last.map {
                interpreters.contains(Array($0))
            } == true
    }

    private static let interpreters = Set(
        [
            "bash", "bun", "dash", "deno", "fish", "ksh", "lua", "node", "nodejs", "perl", "php", "pwsh", "python",
            "python3", "ruby", "run", "sh", "source", "ts-node", "tsx", "uv", "zsh",
        ].map { Array($0.utf8) })
}
