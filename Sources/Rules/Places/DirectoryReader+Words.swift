import Text

extension DirectoryReader {
    mutating func take(_ word: ArraySlice<UInt8>) {
        takePaths(word)
        takeModules(word)
        if let glob = word.firstIndex(where: Self.isOfGlob) {
            takePattern(word, at: glob)
        } else if isOpen(word), let slash = word.lastIndex(of: UInt8(ascii: "/")) {
            takePattern(word, at: slash + 1)
        } else if word.first == UInt8(ascii: "-") {
            takeOption(word)
        } else {
            takePlain(word)
        }
        if !piped.isEmpty { takePiped(word) }
        command.note(word)
    }

    /// True where the word goes on with what is not known: `tools/$name.sh`, `./checks/${name}.js`, `'./checks/' + name`.
    private func isOpen(_ word: ArraySlice<UInt8>) -> Bool {
        let rest = text[word.endIndex...].prefix(8)
        if let next = rest.first, "${".utf8.contains(next) { return true }
        return word.last == UInt8(ascii: "/") && rest.first { !Self.blanks.contains($0) } == UInt8(ascii: "+")
    }

    mutating func takePlain(_ word: ArraySlice<UInt8>) {
        if command.program.elementsEqual("run-parts".utf8) { add(place(of: word), .end([])) }
        let runs = word.elementsEqual("run".utf8)
        if runs, let kinds = command.builtKinds {
            if command.isGo { command.kinds = kinds } else { add(entered.map { .named($0) } ?? .treeHere, kinds) }
        } else if command.isGo, command.kinds != nil {
            if !word.suffix(3).elementsEqual(".go".utf8) { addTree(word, FileKinds.ofGo) }
        } else if command.isEntering {
            enter(word)
        } else if let kinds = FileKinds.ofDirectory(program: word) {
            command.begin(kinds, takesValues: true)
        } else if Self.runners.contains(Array(word)) {
            command.begin(FileKinds.javaScript, takesValues: false)
        } else if isDots(word) {
            takeDots(word)
        } else if before(word.startIndex) != UInt8(ascii: "=") {
            takeOperand(isDirectory: false, name: word)
        }
        takeListing(word)
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

    private static let runners = Set(["bunx", "npx", "pnpx"].map { Array($0.utf8) })

    /// The place that the path names which begins here.
    func literal(at start: Int) -> StartedDirectory.Place? {
        guard start < text.endIndex else { return nil }
        let word = text[start...].prefix { Self.isOfWord($0) }
        let parts = Self.parts(word)
        return word.isEmpty ? nil : parts.isEmpty ? .here : .named(parts)
    }

    /// True for `.`, `../` and their like, and for a variable with the directory in which the commands run.
    private func isDots(_ word: ArraySlice<UInt8>) -> Bool {
        word.allSatisfy { "./".utf8.contains($0) } && word.first == UInt8(ascii: ".")
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
        let rest = text[word.endIndex...].prefix(16).drop { Self.blanks.contains($0) }
        guard !rest.starts(with: "import".utf8) else { return }
        let levels = word.split(separator: UInt8(ascii: "/")).count { $0.elementsEqual("..".utf8) }
        add(.above(levels), FileKinds.javaScript)
    }

    /// Takes what a program may be given to run.
    mutating func takeOperand(isDirectory: Bool, name: ArraySlice<UInt8> = []) {
        guard let kinds = command.kinds, command.operand != .done else { return }
        let isValue = command.operand == .behindOption && command.takesValues
        if isDirectory {
            if !command.isBehindDirectoryOption { addTree(name, kinds) }
            command.operand = .done
        } else if !isValue || ReadingPrograms.contain(name) {
            // `bun run .`
            command.operand = Self.subcommands.contains(Array(name)) ? .expected : .done
        } else {
            command.operand = .expected
        }
    }

    private static let subcommands = Set(["exec", "run", "watch", "x"].map { Array($0.utf8) })

    /// Adds a directory of a program, with all below it.
    private mutating func addTree(_ word: ArraySlice<UInt8>, _ kinds: FileKinds) {
        let parts = isVariable(word) ? [] : Self.parts(word)
        add(parts.isEmpty ? entered.map { .named($0) } ?? .treeHere : .named(parts), kinds)
    }

    mutating func takeOption(_ word: ArraySlice<UInt8>) {
        if word.starts(with: "-i".utf8), word.count > 2 { add(place(of: word.dropFirst(2)), .end([])) }
        if Self.ending.contains(Array(word)) { command.operand = .done }
        if command.operand == .expected { command.operand = .behindOption }
        if word.starts(with: "-exec".utf8) || word.starts(with: "-ok".utf8) { command.runsListed = true }
        if word.elementsEqual("--show-toplevel".utf8) { command.isHere = true }
    }

    /// What stands behind these options is no file to be run, nor anything behind that.
    private static let ending = Set(["-c", "-e", "-m", "-p", "--eval", "--print", "--test"].map { Array($0.utf8) })

    mutating func enter(_ word: ArraySlice<UInt8>) {
        guard case .named(let parts) = place(of: word) else {
            entered = nil
            return
        }
        everEntered.append(parts)
        let rest = text[word.endIndex...].prefix(16).drop { Self.blanks.contains($0) }
        entered = command.isBehindDirectoryOption || rest.starts(with: "&&".utf8) ? parts : nil
    }
}
