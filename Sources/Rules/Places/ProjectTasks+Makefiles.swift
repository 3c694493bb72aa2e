import Text

/// Reads makefiles and justfiles.
extension ProjectTasks {
    /// Takes each rule's recipe with the names of those that it needs, and each variable. The first rule runs where none is
    /// named, and one with a pattern may be any.
    mutating func takeMakefile(_ text: String, in directory: String) {
        var names: [[UInt8]] = []
        var recipe = ""
        // Names of rules are made, or text is run where it is read.
        let isOpen = Self.openings.contains { text.holds($0) }
        var hasFirst = isOpen
        for line in IncludedMakefiles.lines(of: text) {
            let isIndented = line.first.map { $0 <= 0x20 } == true
            takeVariable(line, in: directory)
            if line.first == UInt8(ascii: "#") { continue }
            takeIncludes(line, in: directory)
            if isIndented || isOpen && !line.contains(UInt8(ascii: ":")) {
                recipe += String(decoding: line, as: UTF8.self) + "\n"
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), !Self.assigns(line[colon...]) {
                add(names, recipe)
                names = Self.rules(line[..<colon], isFirst: isOpen || !hasFirst)
                // `.PHONY` is no rule that runs where none is named.
                hasFirst = hasFirst || line.first != UInt8(ascii: ".")
                recipe = String(decoding: line[(colon + 1)...], as: UTF8.self) + "\n"
            }
        }
        add(names, recipe)
    }

    private static let openings = [
        ".DEFAULT_GOAL", "define ", "$(shell", "${shell", "!=", "$(eval", "${eval", "$(foreach", "addprefix",
        "addsuffix", "patsubst", ":%=", "=%", "wildcard",
    ]

    /// True for `:=`, `::=` and `:::=`, which make a variable.
    private static func assigns(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.drop { $0 == UInt8(ascii: ":") }.first == UInt8(ascii: "=")
    }

    private static func rules(_ names: ArraySlice<UInt8>, isFirst: Bool) -> [[UInt8]] {
        let names = names.split(separator: UInt8(ascii: " ")).map { SensitiveNames.folded($0) }
        let isOpen = names.contains { $0.contains { "%$".utf8.contains($0) } }
        return names + [TaskNames.anyRule] + (isFirst || isOpen ? makes : [])
    }

    private static let makes = ["make", "gmake", "just"].map { Array($0.utf8) }

    private mutating func takeVariable(_ line: ArraySlice<UInt8>, in directory: String) {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return }
        let words = line[..<sign].split { $0 <= 0x20 || ":?+!".utf8.contains($0) }
        guard let name = words.last, words.count < 3 else { return }
        let value = line[(sign + 1)...]
        add([SensitiveNames.folded(name)], .text(Array(value)))
        includes.define(Array(name), value)
        takeIncluded(in: directory)
    }

    // MARK: - Included files

    private mutating func takeIncludes(_ line: ArraySlice<UInt8>, in directory: String) {
        guard let rest = IncludedMakefiles.operands(of: line) else { return }
        includes.include(rest)
        takeIncluded(in: directory)
    }

    /// Takes the files that are included by a path from here or from the top, where make mostly runs, and all those near that a
    /// path with variables or patterns may name. Those with the names of makefiles are known in any case.
    private mutating func takeIncluded(in directory: String) {
        var words: [String] = []
        while let word = includes.next() {
            let isOpen = word.contains(UInt8(ascii: "*"))
            let isBeside = isOpen && !word.contains(UInt8(ascii: "/")) && directory != root.resolved.path
            let front = isBeside ? String(decoding: TaskNames.last(of: directory), as: UTF8.self) + "/" : ""
            words.append(front + String(decoding: word, as: UTF8.self))
            if includes.isTooMany { texts.startsAny = true }
            guard !texts.startsAny else { return }
            for path in isOpen ? root.nearTree.files(matching: PathGlob(word)) : files(word, from: directory) {
                add(Self.makes, .file(path, .makefile))
            }
        }
        // A file that such a line includes counts where there is nothing yet, too.
        if !words.isEmpty { add(Self.makes, words.map { "sh " + $0 + "\n" }.joined()) }
    }
}
