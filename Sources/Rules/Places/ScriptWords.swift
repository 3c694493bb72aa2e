/// The words of texts by which files may be started, so that a file is found among them in the time of its own path.
struct ScriptWords {
    private var lasts: Set<ArraySlice<UInt8>> = []
    /// Each word's parts, joined.
    private var wholes: Set<[UInt8]> = []
    /// The same without the first part, which may be a variable.
    private var tails: Set<[UInt8]> = []
    /// Those with directories, as they were written.
    private(set) var far: [String] = []
    /// Paths of what a script loads from beside itself by the name alone, joined.
    private var beside: Set<[UInt8]> = []
    private var known: Set<ArraySlice<UInt8>> = []

    init(_ texts: [CommandTexts.Text]) {
        for text in texts { take(text) }
    }

    private mutating func take(_ text: CommandTexts.Text) {
        // Case folded, other letters may have another length.
        let isFolded = text.written.count == text.bytes.count
        let read = isFolded ? text.read : nil
        // A script mentions many files that it only has checked.
        let checked = isFolded && !text.bases.isEmpty ? ReadWords(in: text.bytes) : nil
        var last: ArraySlice<UInt8> = []
        for word in text.written.split(whereSeparator: { !ShellCharacters.isFirstWord($0) }) {
            let isStarted = text.isOfCommands || ScriptNames.starts(last)
            if ScriptNames.loads(last), word.allSatisfy({ $0 != UInt8(ascii: "/") }) {
                add(word, besideThoseIn: text.bases)
            }
            last = word
            if checked?.contain(word) == true { continue }
            if read?.contain(word) == true, !word.contains(UInt8(ascii: ".")) { continue }
            guard isStarted || word.contains(where: { "./".utf8.contains($0) }), known.insert(word).inserted else {
                continue
            }
            add(word)
            // `-mtools.status`, `-rserver`
            if ScriptNames.hasValue(word) { add(word.dropFirst(2)) }
        }
    }

    private mutating func add(_ word: ArraySlice<UInt8>) {
        let parts = word.split(separator: UInt8(ascii: "/")).map { SensitiveNames.folded($0) }
            .filter { !$0.allSatisfy { $0 == UInt8(ascii: ".") } }
        guard let last = parts.last else { return }
        insert(parts)
        if parts.count > 1 { far.append(String(decoding: word, as: UTF8.self)) }
        let modules = last.split(separator: UInt8(ascii: ".")).map { Array($0) }
        if parts.count == 1, modules.count > 1 { insert(modules) }
    }

    private mutating func add(_ word: ArraySlice<UInt8>, besideThoseIn bases: [[[UInt8]]]) {
        for base in bases {
            let path = Self.joined((base + [SensitiveNames.folded(word)])[...])
            lasts.insert(SensitiveNames.folded(word)[...])
            beside.insert(path)
        }
    }

    private mutating func insert(_ parts: [[UInt8]]) {
        guard let last = parts.last else { return }
        lasts.insert(last[...])
        wholes.insert(Self.joined(parts[...]))
        if parts.count > 1 { tails.insert(Self.joined(parts.dropFirst())) }
    }

    private static func joined(_ parts: ArraySlice<[UInt8]>) -> [UInt8] {
        Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }

    /// True if a word is the path, or its end, with or without its suffix, and `index` or `__main__`.
    func name(_ name: [UInt8], in directory: [[UInt8]]) -> Bool {
        let dot = UInt8(ascii: ".")
        let shortest = name.prefix { $0 != dot }
        let longest = name[..<(name.lastIndex(of: dot) ?? name.endIndex)]
        return [name[...], shortest, longest].contains { lasts.contains($0) && holds(directory + [Array($0)]) }
            || directory.last.map { lasts.contains($0[...]) } == true && ScriptNames.isEntry(Array(shortest))
                && holds(directory)
    }

    /// True if the path ends with a word, or with all of one but its first part.
    private func holds(_ path: [[UInt8]]) -> Bool {
        if beside.contains(Self.joined(path[...])) { return true }
        return path.indices.contains { index in
            let end = Self.joined(path[index...])
            return wholes.contains(end) || tails.contains(end)
        }
    }
}
