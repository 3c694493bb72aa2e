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
        case .ofCargo: takeCargoSettings(text)
        case .crate: takeCrate(text, in: directory)
        case .project: takeProject(text)
        case .compiler: takeCompiler(text)
        case .conftest: takePlugins(text)
        case .cmake: takeCMake(text)
        case .words:
            let value = path.utf8.suffix(5).elementsEqual(".json".utf8) ? Self.json(text) : nil
            return value.map(AgentSettings.lines) ?? Array(text.utf8)
        }
        return nil
    }

    private static func json(_ text: String) -> JSON? { try? JSON(parsing: AgentSettings.withoutMark(text)) }

    // MARK: - Parts of settings

    /// Takes what targets of nx run: the names of their sources start nothing.
    private mutating func takeProject(_ text: String) {
        guard let targets = Self.json(text)?["targets"]?.objectValue else { return add(TaskNames.programs("nx"), text) }
        for target in targets {
            let lines = Self.commands(in: target.value)
            if !lines.isEmpty { add(TaskNames.programs("nx") + [SensitiveNames.folded(target.key.utf8)], .text(lines)) }
        }
    }

    private static func commands(in value: JSON) -> [UInt8] {
        if let list = value.arrayValue { return list.flatMap(commands) }
        return (value.objectValue ?? [:]).flatMap { member in
            let isCommand = ["command", "commands", "cwd", "executor"].contains(member.key)
            return isCommand ? AgentSettings.lines(of: member.value) + [0x0A] : commands(in: member.value)
        }
    }

    /// Takes what stands behind each `COMMAND`, up to the end of its call, and what is included.
    private mutating func takeCMake(_ text: String) {
        var found: [UInt8] = []
        for call in text.utf8.split(separator: UInt8(ascii: "(")) {
            let inside = call.prefix { $0 != UInt8(ascii: ")") }
            if let place = Substring(inside).firstPlace(of: "COMMAND") {
                found += Array(inside[place.upperBound...].map { $0 < 0x20 ? 0x20 : $0 }) + [0x0A]
            }
        }
        add(TaskFile.cmake.programs, .text(found))
    }

    /// Takes the modules of `pytest_plugins = ["tools.x"]`. What tests load by themselves is theirs.
    private mutating func takePlugins(_ text: String) {
        guard let place = text.firstPlace(of: "pytest_plugins") else { return }
        let value = text.utf8[place.upperBound...].prefix { !"])".utf8.contains($0) }
        let words = value.split { !ShellCharacters.isFirstWord($0) }.prefix(Self.mostPlugins)
        add(TaskNames.programs("pytest"), words.map { "python -m " + String(Substring($0)) + "\n" }.joined())
    }

    private static let mostPlugins = 256

    /// Takes ts-node's part. With comments in it, all that stands behind counts.
    private mutating func takeCompiler(_ text: String) {
        guard let place = text.firstPlace(of: "\"ts-node\"") else { return }
        let lines = Self.json(text)?["ts-node"].map(AgentSettings.lines) ?? Array(text[place.upperBound...].utf8)
        add(TaskNames.interpreters + TaskNames.managers + [Array("mocha".utf8)], .text(lines))
    }

    // MARK: - Packages

    private mutating func takePackage(_ text: String, in directory: String) {
        guard let package = Self.json(text)?.objectValue else {
            // Other programs may read a text that cannot be parsed here.
            add(TaskNames.managers, text)
            return
        }
        for script in package["scripts"]?.objectValue ?? [:] {
            if let text = script.value.stringValue { add(Self.names(of: script.key) + [TaskNames.anyScript], text) }
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
}
