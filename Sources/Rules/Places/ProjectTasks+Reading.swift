import OrderedJSON
import Text

/// Reads the files of settings.
extension ProjectTasks {
    /// Adds the tasks of a file.
    /// - Returns: the text of which all words count, if there is one.
    mutating func take(_ text: String, of path: String, as kind: TaskFile) -> [UInt8]? {
        let directory = PathText.directory(of: path)
        switch kind {
        case .package: takePackage(text, in: directory)
        case .makefile: takeMakefile(text, in: directory)
        case .sections: takeSections(text, in: "")
        case .ofCargo: takeSections(text, in: "cargo ")
        case .words:
            let value = path.utf8.suffix(5).elementsEqual(".json".utf8) ? Self.json(text) : nil
            return value.map(AgentSettings.lines) ?? Array(text.utf8)
        }
        return nil
    }

    private static func json(_ text: String) -> JSON? { try? JSON(parsing: AgentSettings.withoutMark(text)) }

    // MARK: - Packages

    private mutating func takePackage(_ text: String, in directory: String) {
        guard let package = Self.json(text)?.objectValue else {
            // What cannot be parsed here may be read by others.
            add(TaskNames.managers, text)
            return
        }
        for script in package["scripts"]?.objectValue ?? [:] {
            if let text = script.value.stringValue { add(Self.names(of: script.key), text) }
        }
        // npm's `start` without such a script.
        if package["scripts"]?["start"] == nil { add([Array("start".utf8)], "node server.js") }
        takeEntries(package, in: directory)
        for (key, value) in package.filter({ !Self.described.contains($0.key) }) { takeSettings(key, value) }
        for (key, value) in package["config"]?.objectValue ?? [:] { takeSettings(key, value) }
    }

    private mutating func takeSettings(_ key: String, _ value: JSON) {
        let lines = AgentSettings.lines(of: value)
        if !lines.isEmpty { add(TaskNames.programs(ofFile: SensitiveNames.folded(key.utf8)), .text(lines)) }
        // yorkie's
        if key == "gitHooks" { add(TaskNames.programs("yorkie"), .text(lines)) }
    }

    /// `pre` and `post` run with the other; a name may begin so by chance.
    private static func names(of task: String) -> [[UInt8]] {
        let name = SensitiveNames.folded(task.utf8)
        let front = ["pre", "post"].first { name.starts(with: $0.utf8) && name.count > $0.utf8.count }
        return [name] + (front.map { [Array(name.dropFirst($0.utf8.count))] } ?? [])
    }

    /// Adds what a package starts with, for whoever loads it by its name or its directory.
    private mutating func takeEntries(_ package: JSONObject, in directory: String) {
        let name = package["name"]?.stringValue ?? ""
        var names = [SensitiveNames.folded(name.utf8), TaskNames.last(of: name)]
        names += (package["bin"]?.objectValue ?? [:]).map { SensitiveNames.folded($0.key.utf8) }
        let isAbove = PathText.contains(directory, root.resolved.path)
        names.append(isAbove ? [UInt8(ascii: ".")] : TaskNames.last(of: directory))
        let lines: [UInt8] = Self.entries.compactMap { package[$0] }.flatMap(AgentSettings.lines)
        let files: [UInt8] = lines.split(separator: 0x0A).flatMap { Array("node ".utf8) + Array($0) + [0x0A] }
        if !files.isEmpty { add(names.filter { !$0.isEmpty }, .text(files)) }
    }

    private static let entries = ["main", "module", "bin", "exports", "imports", "browser"]
    /// Members that start nothing, or that are read for themselves.
    private static let described = Set(
        entries + [
            "author", "browserslist", "bugs", "config", "contributors", "dependencies", "description",
            "devDependencies",
            "engines", "files", "homepage", "keywords", "license", "name", "optionalDependencies", "overrides",
            "packageManager", "peerDependencies", "publishConfig", "repository", "resolutions", "scripts",
            "sideEffects",
            "types", "typings", "version", "workspaces",
        ])

    // MARK: - Makefiles

    /// Takes each rule's recipe with the names of those that it needs, and each variable. The first rule runs where none is
    /// named, and one with a pattern may be any.
    private mutating func takeMakefile(_ text: String, in directory: String) {
        var names: [[UInt8]] = []
        var recipe = ""
        // Names of rules are made, or text is run where it is read.
        let isOpen = Self.openings.contains { text.holds($0) }
        var hasFirst = isOpen
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let isIndented = line.first.map { $0 <= 0x20 } == true
            takeVariable(line)
            if line.first == UInt8(ascii: "#") { continue }
            takeIncludes(line, in: directory)
            if isIndented || isOpen && !line.contains(UInt8(ascii: ":")) {
                recipe += String(Substring(line)) + "\n"
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), !Self.assigns(line[colon...]) {
                add(names, recipe)
                names = Self.rules(line[..<colon], isFirst: isOpen || !hasFirst)
                // `.PHONY` is no rule that runs where none is named.
                hasFirst = hasFirst || line.first != UInt8(ascii: ".")
                recipe = String(Substring(line[line.index(after: colon)...])) + "\n"
            }
        }
        add(names, recipe)
    }

    private static let openings = [
        ".DEFAULT_GOAL", "define ", "$(shell", "${shell", "!=", "$(eval", "${eval", "$(foreach", "addprefix",
        "addsuffix", "patsubst", ":%=", "=%", "wildcard",
    ]

    /// True for `:=`, `::=` and `:::=`, which make a variable.
    private static func assigns(_ rest: Substring.UTF8View) -> Bool {
        rest.drop { $0 == UInt8(ascii: ":") }.first == UInt8(ascii: "=")
    }

    private static func rules(_ names: Substring.UTF8View, isFirst: Bool) -> [[UInt8]] {
        let names = names.split(separator: UInt8(ascii: " ")).map { SensitiveNames.folded($0) }
        let isOpen = names.contains { $0.contains { "%$".utf8.contains($0) } }
        return names + (isFirst || isOpen ? ["make", "gmake", "just"].map { Array($0.utf8) } : [])
    }

    private mutating func takeVariable(_ line: Substring.UTF8View) {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return }
        let words = line[..<sign].split { $0 <= 0x20 || ":?+!".utf8.contains($0) }
        guard let name = words.last, words.count < 3 else { return }
        add([SensitiveNames.folded(name)], .text(Array(line[sign...].dropFirst())))
    }

    private mutating func takeIncludes(_ line: Substring.UTF8View, in directory: String) {
        let words = line.split { $0 <= 0x20 || "'\"".utf8.contains($0) }
        guard let first = words.first,
            ["-include", "import", "include", "mod", "sinclude"].contains(where: { first.elementsEqual($0.utf8) })
        else { return }
        for word in words.dropFirst() {
            let path = PathText.normalize(String(Substring(word)), from: directory)
            add([Array("make".utf8), Array("gmake".utf8), Array("just".utf8)], .file(path, .makefile))
        }
    }

    // MARK: - Sections

    /// Takes each section under the names that it has, and each line such as `tool = "pkg.cli:main"` under its own.
    /// - Parameter front: stands before each value.
    private mutating func takeSections(_ text: String, in front: String) {
        var section = Section()
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.first == UInt8(ascii: "[") {
                end(section)
                section = Section(line)
            } else if let (name, value) = Self.assignment(line) {
                end(&section.line)
                section.line = ([SensitiveNames.folded(name)], front)
                section.take(value)
            } else {
                section.take(line)
            }
        }
        end(section)
    }

    private mutating func end(_ section: Section) {
        var section = section
        end(&section.line)
        if !section.names.isEmpty { add(section.names, section.text) }
    }

    private mutating func end(_ line: inout (names: [[UInt8]], text: String)) {
        if !line.names.isEmpty { add(line.names, line.text) }
        line = ([], "")
    }

    private static func assignment(_ line: Substring.UTF8View) -> (Substring.UTF8View, Substring.UTF8View)? {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let words = line[..<sign].split { $0 <= 0x20 || "'\"".utf8.contains($0) }
        guard words.count == 1 else { return nil }
        return (words[0], line[line.index(after: sign)...])
    }

    private struct Section {
        var names: [[UInt8]] = []
        var text = ""
        var line: (names: [[UInt8]], text: String) = ([], "")

        init() {}

        /// `[tool.poe.tasks]`
        init(_ header: Substring.UTF8View) {
            let parts = header.split { $0 <= 0x20 || "[].:'\"".utf8.contains($0) }.map { SensitiveNames.folded($0) }
            let isOfLines = parts.last.map(Section.ofLines.contains) ?? true
            let isOfProject = parts.first?.elementsEqual("project".utf8) == true
            guard !isOfLines, !isOfProject, !parts.contains(where: Section.silent.contains) else { return }
            names = parts.flatMap { TaskNames.programs(named: $0) } + parts.suffix(1)
        }

        mutating func take(_ value: Substring.UTF8View) {
            let value = String(Substring(value))
            var added = value + "\n"
            // The module of `pkg.cli:main`
            for word in value.utf8.split(whereSeparator: { $0 <= 0x20 || "'\",{}[]=".utf8.contains($0) }) {
                guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > word.startIndex else { continue }
                added += "python -m " + String(Substring(word[..<colon])) + "\n"
            }
            line.text += added
            text += added
        }

        /// Of these each line is a task of its own.
        private static let ofLines = Set(TaskNames.list("alias entry_points gui-scripts scripts tasks"))
        /// Their programs only look at the files that are named, or at all.
        private static let silent = Set(TaskNames.list("black coverage isort pytest ruff"))
    }
}
