import Text

/// The names by which a file may be started: `tools/status.js` is also `tools/status` to node, `tools/status/index.js`
/// too, and `tools/status.py` is the module `tools.status`.
struct ScriptNames {
    /// The file's name, and its directory with the file without a suffix, for texts that write them in unusual ways.
    let ends: [[UInt8]]
    private let name: [UInt8]
    private let stem: [UInt8]
    /// Paths without what may be left out, the last first.
    private let stems: [[[UInt8]]]
    private let directory: [[UInt8]]
    /// The directory, if the file is what starts or loads it.
    private let package: [[UInt8]]?

    init?(_ path: Substring.UTF8View) {
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        guard let name = parts.last else { return nil }
        let directory = Array(parts.dropLast())
        let dot = UInt8(ascii: ".")
        let shortest = Array(name.prefix { $0 != dot })
        let longest = Array(name[..<(name.lastIndex(of: dot) ?? name.endIndex)])
        self.name = name
        stem = shortest
        self.directory = directory
        let isEntry = Self.entries.contains(shortest) && !directory.isEmpty && !FileKinds.prose.contain(name)
        package = isEntry ? directory : nil
        stems = [shortest, longest].map { directory + [$0] } + (isEntry ? [directory] : [])
        ends = [name, Array((directory.suffix(1) + [shortest]).joined(separator: "/".utf8))]
    }

    /// True for a file that programs only read.
    var areOfText: Bool { FileKinds.texts.contain(name) }

    static func isEntry(_ name: [UInt8]) -> Bool { entries.contains(name) }

    /// Programs that are given a directory start these files of it.
    private static let entries = Set(["__init__", "__main__", "index", "main", "mod"].map { Array($0.utf8) })

    /// True if a word of the text is one of the names.
    /// - Parameter anyWord: whether a word may be a file wherever it stands: `npx nodemon server`.
    func areIn(_ text: [UInt8], anyWord: Bool, read: ReadWords?) -> Bool {
        isNamed(in: text, read: read) { last, _ in anyWord || Self.starts(last) }
    }

    /// The same for a text in which the word behind an option is seldom a file: `pytest --cov=app`.
    func areNamed(in text: [UInt8], read: ReadWords?) -> Bool {
        isNamed(in: text, read: read) { last, _ in Self.isInterpreter(last) || last.elementsEqual("-m".utf8) }
    }

    /// True if they are those of a module of Python.
    func areOf(_ modules: ImportedModules, bases: [[[UInt8]]]) -> Bool {
        FileKinds.python.contain(name) && modules.load(stem, in: directory, bases: bases)
    }

    /// The same for the text of a script, which loads what lies in its directories or below by the name alone, such as
    /// `import one, two`, and beside the root's files too. Elsewhere `import json` names no file.
    /// - Parameter bases: the script's directories.
    func areIn(script text: [UInt8], in bases: [[[UInt8]]]) -> Bool {
        let isNear = bases.contains { areBelow($0, in: text) }
        let isOfTop = directory.isEmpty
        return isNamed(in: text, read: nil) { last, program in
            if isNear || last.elementsEqual("-m".utf8) || isOfTop && Self.loads(last) { return true }
            let program = last.first == UInt8(ascii: "-") ? program : last
            // `node:path` is a module of node's own.
            let isScheme = !last.isEmpty && text[last.endIndex] == UInt8(ascii: ":")
            return Self.isInterpreter(program) && !Self.loads(program) && !isScheme
        }
    }

    /// - Parameter isStarted: whether the word behind another, which stands behind a program or its options, may be a file.
    private func isNamed(
        in text: [UInt8], read: ReadWords?, isStarted: (_ last: ArraySlice<UInt8>, _ program: ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        guard stems.contains(where: { $0.last.flatMap(text.firstPlace) != nil }) else { return false }
        var last: ArraySlice<UInt8> = []
        var program: ArraySlice<UInt8> = []
        for word in text.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) {
            if read?.contain(word) == true {
                if word.split(separator: UInt8(ascii: "/")).last?.elementsEqual(name) == true { return true }
            } else if isNamed(by: word, isStarted: isStarted(last, program)) {
                return true
            }
            // `-mtools.status`, `-rserver`
            if Self.hasValue(word), isNamed(by: word.dropFirst(2), isStarted: true) { return true }
            last = word
            if word.first != UInt8(ascii: "-") { program = word }
        }
        return false
    }

    /// True if the file lies in the directory, or in one below it whose every name is in the text.
    func areBelow(_ base: [[UInt8]], in text: [UInt8]) -> Bool {
        directory.starts(with: base)
            && directory.dropFirst(base.count).allSatisfy { text.firstPlace(of: $0) != nil }
    }

    private func isNamed(by word: ArraySlice<UInt8>, isStarted: Bool) -> Bool {
        var parts = word.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        if parts.last?.elementsEqual(name) == true { return true }
        // `import "./x.js"` loads `x.ts`.
        if let last = parts.last, let end = Self.ofJavaScript.first(where: { last.suffix($0.count).elementsEqual($0) })
        {
            parts[parts.count - 1] = last.dropLast(end.count)
        }
        if isStarted || parts.count > 1, stems.contains(where: { Self.parts(parts, end: $0) }) { return true }
        return parts.count == 1 && isModule(word)
    }

    /// True if the word is the name of a module, which loads each directory in front of it too: `tools.sub.status`.
    private func isModule(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(separator: UInt8(ascii: "."))
        // `from .x import y`
        guard parts.count > 1 || word.first == UInt8(ascii: ".") else { return false }
        if stems.contains(where: { Self.parts(parts, end: $0) }) { return true }
        // `com.x.MainKt` is no file of Python.
        guard let package, FileKinds.python.contain(name) else { return false }
        return parts.indices.dropFirst().contains { Self.parts(Array(parts[..<$0]), end: package) }
    }

    /// True if the last two parts are the same. A part in front of a name of the root may be a variable's, and `..` any.
    private static func parts(_ parts: [ArraySlice<UInt8>], end stem: [[UInt8]]) -> Bool {
        guard let name = parts.last, stem.last?.elementsEqual(name) == true else { return false }
        guard let directory = parts.dropLast().last, stem.count > 1 else { return true }
        return directory.elementsEqual("..".utf8) || stem[stem.count - 2].elementsEqual(directory)
    }

    /// True for an option of one letter with its value behind it.
    static func hasValue(_ word: ArraySlice<UInt8>) -> Bool {
        word.count > 2 && word.first == UInt8(ascii: "-")
            && word.dropFirst().first.map(ShellCharacters.isLetter) == true
    }

    /// True if the word behind this one may be a file to be run: `cd tools && node status`.
    static func starts(_ word: ArraySlice<UInt8>) -> Bool {
        word.first == UInt8(ascii: "-") || isInterpreter(word)
    }

    /// True for a word of a language that loads a module by its name, from where its own files lie, and for what runs a task
    /// of the project: `npm run build`.
    static func loads(_ word: ArraySlice<UInt8>) -> Bool { loading.contains(word) }

    private static let loading = Set(
        ["from", "import", "load", "require", "require_relative", "run"].map { Array($0.utf8)[...] })

    static func isInterpreter(_ word: ArraySlice<UInt8>) -> Bool {
        WordRoles(of: word).contains(.interpreter)
    }

    private static let ofJavaScript = [".js", ".mjs", ".cjs", ".jsx"].map { Array($0.utf8) }
}
