import Text

extension DirectoryReader {
    mutating func take(_ word: ArraySlice<UInt8>) {
        let roles = WordRoles(of: word)
        takePaths(word, roles)
        takeModules(word)
        takeLoaded(word)
        if let glob = word.firstIndex(where: Self.isOfGlob) {
            takePattern(word, at: glob)
        } else if isOpen(word), let slash = word.lastIndex(of: UInt8(ascii: "/")) {
            takePattern(word, at: slash + 1)
        } else if word.first == UInt8(ascii: "-") {
            takeOption(word, roles)
        } else {
            takePlain(word, roles)
        }
        if !piped.isEmpty { takePiped(word, roles) }
        command.note(word, roles)
    }

    /// True where the word goes on with what is not known: `tools/$name.sh`, `./checks/${name}.js`, `'./checks/' + name`.
    private func isOpen(_ word: ArraySlice<UInt8>) -> Bool {
        let rest = text[word.endIndex...].prefix(8)
        if rest.first == UInt8(ascii: "$") || rest.first == UInt8(ascii: "{") { return true }
        return word.last == UInt8(ascii: "/") && rest.first { !Self.isBlank($0) } == UInt8(ascii: "+")
    }

    mutating func takePlain(_ word: ArraySlice<UInt8>, _ roles: WordRoles) {
        if command.programRoles.contains(.runParts) { add(place(of: word), .end([])) }
        if roles.contains(.subcommand), word.elementsEqual("run".utf8), let kinds = command.builtKinds {
            if command.isGo { command.kinds = kinds } else { add(entered.map { .named($0) } ?? .treeHere, kinds) }
        } else if command.isGo, command.kinds != nil {
            if !word.suffix(3).elementsEqual(".go".utf8) { addTree(word, FileKinds.ofGo) }
        } else if command.isEntering {
            enter(word)
        } else if !roles.isDisjoint(with: [.javaScript, .python, .runner]) {
            command.begin(roles.contains(.python) ? .python : .javaScript, takesValues: !roles.contains(.runner))
        } else if isDots(word) {
            takeDots(word)
        } else if before(word.startIndex) != UInt8(ascii: "=") {
            takeOperand(isDirectory: false, name: word, roles)
        }
        takeListing(word, roles)
        store(word)
    }

    /// Stores what a variable is given: `d=tools`, `r=$PWD`.
    private mutating func store(_ word: ArraySlice<UInt8>) {
        let assignment = UInt8(ascii: "=")
        if after(word.endIndex - 1) == assignment, let place = literal(at: word.endIndex + 1) {
            variables[Array(word)] = place
        } else if isVariable(word), let sign = text[..<word.startIndex].lastIndex(of: UInt8(ascii: "$")),
            before(sign) == assignment
        {
            variables[Array(command.last)] = place(of: word)
        }
    }

    /// The place that the path names which begins here.
    func literal(at start: Int) -> StartedDirectory.Place? {
        guard start < text.endIndex else { return nil }
        let word = text[start...].prefix { Self.isOfWord($0) }
        let parts = Self.parts(word)
        return word.isEmpty ? nil : parts.isEmpty ? .here : .named(parts)
    }

    /// True for `.`, `../` and their like, and for a variable with the directory in which the commands run.
    private func isDots(_ word: ArraySlice<UInt8>) -> Bool {
        word.first == UInt8(ascii: ".") && word.allSatisfy { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
            || isVariable(word) && isHere(Array(word)) && !goesOn(behind: word)
    }

    /// True where a path follows the variable: `${D}/tools`, `${D:-.}/tools`.
    private func goesOn(behind word: ArraySlice<UInt8>) -> Bool {
        let rest = text[word.endIndex...].prefix(64)
        guard before(word.startIndex) == UInt8(ascii: "{") else { return rest.first == UInt8(ascii: "/") }
        return rest.drop { $0 != UInt8(ascii: "}") }.dropFirst().first == UInt8(ascii: "/")
    }

    private mutating func takeDots(_ word: ArraySlice<UInt8>) {
        guard command.loads else { return takeOperand(isDirectory: true) }
        // `from . import x` is Python's.
        let rest = text[word.endIndex...].prefix(16).drop { Self.isBlank($0) }
        guard !rest.starts(with: "import".utf8) else { return }
        let levels = word.split(separator: UInt8(ascii: "/")).count { $0.elementsEqual("..".utf8) }
        add(.above(levels), FileKinds.javaScript)
    }

    /// Takes what a program may be given to run.
    mutating func takeOperand(isDirectory: Bool, name: ArraySlice<UInt8> = [], _ roles: WordRoles = []) {
        guard let kinds = command.kinds, command.operand != .done else { return }
        let isValue = command.operand == .behindOption && command.takesValues
        if isDirectory {
            if !command.isBehindDirectoryOption { addTree(name, kinds) }
            command.operand = .done
        } else if !isValue || roles.contains(.reads) {
            // `bun run .`
            command.operand = roles.contains(.subcommand) ? .expected : .done
        } else {
            command.operand = .expected
        }
    }

    /// Adds a directory of a program, with all below it.
    private mutating func addTree(_ word: ArraySlice<UInt8>, _ kinds: FileKinds) {
        let parts = isVariable(word) ? [] : Self.parts(word)
        add(parts.isEmpty ? entered.map { .named($0) } ?? .treeHere : .named(parts), kinds)
    }

    mutating func takeOption(_ word: ArraySlice<UInt8>, _ roles: WordRoles) {
        if word.starts(with: "-i".utf8), word.count > 2 { add(place(of: word.dropFirst(2)), .end([])) }
        if roles.contains(.ending) { command.operand = .done }
        if command.operand == .expected { command.operand = .behindOption }
        if word.starts(with: "-exec".utf8) || word.starts(with: "-ok".utf8) { command.runsListed = true }
        if roles.contains(.here) { command.isHere = true }
    }

    mutating func enter(_ word: ArraySlice<UInt8>) {
        guard case .named(let parts) = place(of: word) else {
            entered = nil
            return
        }
        everEntered.append(parts)
        let rest = text[word.endIndex...].prefix(16).drop { Self.isBlank($0) }
        entered = command.isBehindDirectoryOption || rest.starts(with: "&&".utf8) ? parts : nil
    }
}
