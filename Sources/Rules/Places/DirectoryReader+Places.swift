import Text

// MARK: - Patterns, lists and paths of search

extension DirectoryReader {
    /// Takes a pattern that a loop or an interpreter is given, or that stands for scripts of a shell.
    mutating func takePattern(_ word: ArraySlice<UInt8>, at glob: Int) {
        let end = word[(word.lastIndex { Self.isOfGlob($0) || $0 == UInt8(ascii: "/") } ?? glob)...].dropFirst()
        if command.isBehindName {
            command.ends.append(Array(end))
        } else if command.lists, let slash = word[..<glob].lastIndex(of: UInt8(ascii: "/")) {
            command.directories.append(place(of: word[..<slash]))
        }
        let slash = word[..<glob].lastIndex(of: UInt8(ascii: "/"))
        // `x[0]` is of another language.
        let isItem = slash == nil && end.isEmpty && word.contains { "[]".utf8.contains($0) }
        guard !isItem, isStarted(end, hasDirectory: slash != nil) else { return }
        let place = slash.map { self.place(of: word[..<$0]) } ?? entered.map { .named($0) } ?? .here
        let isOpen = word[glob...].first.map(Self.isOfGlob) != true
        if case .named = place {
            add(place, isOpen ? .scripts : .end(Array(end)))
        } else {
            add(place, isOpen || end.isEmpty ? .scripts : .end(Array(end)))
        }
    }

    private func isStarted(_ end: ArraySlice<UInt8>, hasDirectory: Bool) -> Bool {
        if command.isLoop || command.isOfInterpreter && (hasDirectory || !command.loads) { return true }
        let isOfShell = Self.ofShells.contains { end.suffix($0.utf8.count).elementsEqual($0.utf8) }
        let isIn = command.last.elementsEqual("in".utf8)
        if hasDirectory { return isOfShell || isIn }
        return isOfShell && !isIn && !command.last.isEmpty && !command.firstRoles.contains(.reads)
    }

    private static let ofShells = [".sh", ".bash", ".zsh", ".fish"]

    /// Notes what a command prints the names of: `find tools`, `git ls-files tools`.
    mutating func takeListing(_ word: ArraySlice<UInt8>, _ roles: WordRoles) {
        if roles.contains(.lists), command.isAtBegin || word.elementsEqual("ls-files".utf8) {
            command.lists = true
        } else if command.lists, !command.isBehindOption || !command.isFind {
            command.directories.append(place(of: word))
        }
        if command.lists, command.runsListed, command.isBehindExec, roles.contains(.reads) {
            command.runsListed = false
        }
        if roles.contains(.here) { command.isHere = true }
    }

    /// Adds what the pipeline is fed with, if this program starts it.
    mutating func takePiped(_ word: ArraySlice<UInt8>, _ roles: WordRoles) {
        let starts: Bool
        if command.isAtBegin {
            starts = roles.contains(.interpreter) || word.elementsEqual("while".utf8) && runsVariables
        } else {
            guard command.isOfXargs, word.first != UInt8(ascii: "-"), !word.allSatisfy(ShellCharacters.isDigit) else {
                return
            }
            if roles.contains(.launcher) { return }
            starts = !roles.contains(.reads)
            command.isOfXargs = false
        }
        guard starts else { return }
        for directory in piped { add(directory.place, directory.kinds) }
        piped = []
    }

    /// Takes the package of modules that are loaded by names which are not known: `import_module("tools." + name)`.
    mutating func takeModules(_ word: ArraySlice<UInt8>) {
        guard word.last == UInt8(ascii: "."), command.last.firstPlace(of: "import".utf8) != nil else { return }
        let next = text[word.endIndex...].prefix(8).first { !Self.isBlank($0) }
        guard let next, "+{%".utf8.contains(next) else { return }
        let parts = word.split(separator: UInt8(ascii: ".")).map { Array($0) }.suffix(2)
        add(.named(Array(parts)), .scripts)
        // Python's `f"tools.{name}"` without quotation.
        if parts.first?.first == UInt8(ascii: "f"), let first = parts.first {
            add(.named([Array(first.dropFirst())] + parts.dropFirst()), .scripts)
        }
    }

    mutating func takePaths(_ word: ArraySlice<UInt8>, _ roles: WordRoles) {
        if command.searchPath != nil {
            let literal = word.drop(while: Self.isOfGlob).prefix { !Self.isOfGlob($0) }
            if case .named(let parts) = place(of: literal) { add(.named(parts), command.pathKinds) }
            if command.searchPath == .word { command.searchPath = nil }
            return
        }
        guard command.isSearchPath(word, roles) else { return }
        command.pathKinds = ReadCommand.pathKinds(of: word)
        let isAssigned = after(word.endIndex - 1) == UInt8(ascii: "=")
        command.searchPath = isAssigned ? .value : roles.contains(.directoryOfCode) ? .word : .call
    }
}

// MARK: - Places

extension DirectoryReader {
    /// True for the name of a variable, with what stands behind it: `$D/tools`, `${D}`.
    func isVariable(_ word: ArraySlice<UInt8>) -> Bool {
        let start = word.startIndex
        return before(start) == UInt8(ascii: "$")
            || before(start) == UInt8(ascii: "{") && start > 1 && text[start - 2] == UInt8(ascii: "$")
    }

    /// The place that a path names, with or without a variable or another command in front.
    func place(of word: ArraySlice<UInt8>) -> StartedDirectory.Place {
        var parts = Self.parts(word)
        var front = StartedDirectory.Place.here
        let byte = before(word.startIndex)
        if isVariable(word), !parts.isEmpty {
            front = value(of: parts.removeFirst())
        } else if word.isEmpty || word.first == UInt8(ascii: "/"), ")`}".utf8.contains(byte) {
            front =
                byte == UInt8(ascii: "}") ? value(of: Array(command.last)) : command.isBehindHere ? .here : .anywhere
        }
        if case .named(let known) = front, parts.count < 2 { parts = known + parts }
        if !parts.isEmpty { return .named(parts.suffix(2)) }
        if case .here = front, let entered { return .named(entered) }
        return front
    }

    private func value(of variable: [UInt8]) -> StartedDirectory.Place {
        let isElsewhere = Self.elsewhere.contains(variable)
        return variables[variable] ?? (isHere(variable) ? .here : isElsewhere ? .named([variable]) : .anywhere)
    }

    func isHere(_ variable: [UInt8]) -> Bool {
        if let known = variables[variable] { if case .here = known { return true } else { return false } }
        return Self.here.contains(variable)
    }

    private static let here = Set(
        ["claude_plugin_root", "claude_project_dir", "init_cwd", "pwd"].map { Array($0.utf8) })
    private static let elsewhere = Set(["home", "nvm_dir", "tmpdir", "xdg_config_home"].map { Array($0.utf8) })

    /// The last two parts; `..` takes one away.
    static func parts(_ word: ArraySlice<UInt8>) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        for part in word.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else if !part.allSatisfy({ $0 == UInt8(ascii: ".") }) {
                parts.append(Array(part))
            }
        }
        return parts.suffix(3)
    }

    /// True if the text of a shell runs what a variable names: `sh "$f"`, `do $f`.
    static func runsVariables(in text: [UInt8]) -> Bool {
        text.indices.contains { index in
            guard text[index] == UInt8(ascii: "$"), index + 1 < text.count, text[index + 1] != UInt8(ascii: "(") else {
                return false
            }
            var front = text[..<index].suffix(64)
            for _ in 0..<4 {
                while let last = front.last, isBlank(last) { front.removeLast() }
                guard let last = front.last, ShellCharacters.isFirstWord(last) else {
                    return front.last.map { ";&|\n".utf8.contains($0) } ?? true
                }
                let word = front.reversed().prefix { ShellCharacters.isFirstWord($0) }
                let option = word.last == UInt8(ascii: "-")
                let name = Array(word.reversed())
                if !option { return ScriptNames.isInterpreter(name[...]) || running.contains(name) }
                front = front.dropLast(name.count)
            }
            return true
        }
    }

    private static let running = Set(
        ["command", "do", "else", "env", "eval", "exec", "nice", "nohup", "sudo", "then", "time"].map { Array($0.utf8) }
    )
}
