import Text

/// Reads files of settings in sections.
extension ProjectTasks {
    /// Takes each section under the names that it has, and each line such as `tool = "pkg.cli:main"` under its own.
    /// - Parameter front: stands before each value.
    mutating func takeSections(_ text: String, in front: String) {
        var section = Section()
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.first == UInt8(ascii: "[") {
                end(section)
                section = Section(line)
            } else if let (name, value) = Self.assignment(line) {
                end(&section.line)
                section.line = ([SensitiveNames.folded(name)], front)
                section.key = name
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
        if !line.names.isEmpty { add(line.names + [TaskNames.anyScript], line.text) }
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
        var key: Substring.UTF8View = ""[...].utf8
        private var isSilent = false
        private var isBehindOption = false

        init() {}

        /// `[tool.poe.tasks]`
        init(_ header: Substring.UTF8View) {
            let parts = header.split { $0 <= 0x20 || "[].:'\"".utf8.contains($0) }.map { SensitiveNames.folded($0) }
            let isOfLines = parts.last.map(Section.ofLines.contains) ?? true
            let isOfProject = parts.first?.elementsEqual("project".utf8) == true
            guard !isOfLines, !isOfProject else { return }
            names = parts.flatMap { TaskNames.programs(named: $0) }
            isSilent = parts.contains(where: Section.silent.contains) && !parts.contains(Array("local-plugins".utf8))
            if !isSilent { names += parts.suffix(1) }
            // These build the project; its dependencies start nothing.
            let isOfBuild = ["build-system", "hooks"].contains { parts.contains(Array($0.utf8)) }
            if isOfBuild || parts.last?.elementsEqual("build".utf8) == true {
                names += TaskNames.programs("build pip pip3 pipx uv")
            }
            // Of its environments, all run where none is named.
            if parts.first?.starts(with: "testenv".utf8) == true { names += TaskNames.programs("tox") }
        }

        mutating func take(_ value: Substring.UTF8View) {
            if isSilent { return takePlugins(value) }
            let value = String(Substring(value))
            var added = value + "\n"
            // The module of `pkg.cli:main`
            for word in value.utf8.split(whereSeparator: { $0 <= 0x20 || "'\",{}[]=".utf8.contains($0) }) {
                guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > word.startIndex else { continue }
                added += "python -m " + String(Substring(word[..<colon])) + "\n"
            }
            if key.elementsEqual("build-backend".utf8) { added += "python -m " + value }
            line.text += added
            text += added
        }

        /// Takes the modules that a program loads: `plugins = ["tools.x"]`, `addopts = "-p tools.x"`.
        private mutating func takePlugins(_ value: Substring.UTF8View) {
            let isOfPlugins = Substring(key).holds("plugin")
            for word in value.split(whereSeparator: { $0 <= 0x20 || "'\",[]=".utf8.contains($0) }) {
                let isOption = word.starts(with: "-p".utf8)
                let module = isOption ? word.dropFirst(2) : word
                if isOfPlugins || isBehindOption || isOption, !module.isEmpty, !module.contains(UInt8(ascii: ":")) {
                    text += "python -m " + String(Substring(module)) + "\n"
                }
                isBehindOption = word.elementsEqual("-p".utf8)
            }
        }

        /// Of these each line is a task of its own.
        private static let ofLines = Set(TaskNames.list("alias entry_points gui-scripts scripts tasks"))
        /// Their programs only look at the files that are named, or at all, but load plugins.
        private static let silent = Set(TaskNames.list("black coverage flake8 isort pytest ruff"))
    }
}
