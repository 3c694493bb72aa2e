/// The commands that programs in other languages start: `python3 -c 'os.system("git push")'`, `awk 'BEGIN{system("x")}'`, and
/// programs that an interpreter reads from a here document.
enum LanguageTexts {
    static func texts(in reading: ShellGlance.Reading) -> [TextOperands.Text] {
        let texts = reading.commands.flatMap(texts) + reading.inputs.flatMap(texts)
        guard let language = reading.commands.lazy.compactMap(languageOfInput).first else { return texts }
        // Another program may print the program that an interpreter reads: `echo '…' | python3`.
        let printed = reading.commands.lazy.filter(takesText).flatMap { $0.dropFirst() } + reading.inputs.map(\.text)
        return texts + printed.flatMap { self.texts(of: $0, in: language, isCertain: false) }
    }

    /// - Parameter words: a command as it stands.
    private static func texts(in words: [String]) -> [TextOperands.Text] {
        guard words.dropFirst().contains(where: mayHaveStrings),
            let (place, language) = interpreter(in: words)
        else { return [] }
        return programs(of: words, at: place, in: language).flatMap { texts(of: $0, in: language) }
    }

    /// The same for a text that a command reads.
    private static func texts(of input: ShellGlance.Input) -> [TextOperands.Text] {
        guard input.kind == .document, let language = languageOfInput(of: input.command) else { return [] }
        return texts(of: input.text, in: language)
    }

    /// The language in which a command reads a program; nil where it has one among its words.
    private static func languageOfInput(of command: [String]) -> CodeStrings.Language? {
        guard let (place, language) = interpreter(in: command) else { return nil }
        if language == .awk { return InputTexts.readsScript(command) ? language : nil }
        let operand = command[place...].dropFirst().first { $0 == "-" || $0.utf8.first != UInt8(ascii: "-") }
        return operand.map { $0 == "-" || $0 == "/dev/stdin" } ?? true ? language : nil
    }

    private static func takesText(_ command: [String]) -> Bool {
        Launchers.takesText(DeniedCommand.baseName(DeniedCommand.innermost(of: command).first ?? ""))
    }

    private static func mayHaveStrings(_ word: String) -> Bool { word.utf8.contains { "\"'` ".utf8.contains($0) } }

    /// True for the interpreter of a language whose strings and functions are known here.
    static func knows(_ words: [String]) -> Bool {
        interpreter(in: words).map { !operating.contains(DeniedCommand.baseName(words[$0.0])) } ?? false
    }

    /// Interpreters of languages in which an operator starts a command.
    private static let operating: Set<String> = ["groovy", "scala"]

    /// The place of the interpreter, which may stand behind programs that run it.
    private static func interpreter(in words: [String]) -> (Int, CodeStrings.Language)? {
        for place in words.indices.prefix(mostInFront) {
            guard let language = language(of: DeniedCommand.baseName(words[place])) else { continue }
            // `echo python3 -c …` only prints.
            let first = DeniedCommand.baseName(DeniedCommand.innermost(of: words).first ?? "")
            return self.language(of: first) != nil || !Launchers.takesText(first) ? (place, language) : nil
        }
        return nil
    }

    private static func language(of name: String) -> CodeStrings.Language? {
        guard let first = name.utf8.first, ShellCharacters.isLetter(first) else { return nil }
        // `python3.12`, `lua5.4`
        let end = name.utf8.lastIndex { !ShellCharacters.isDigit($0) && !".-".utf8.contains($0) }
        return end.flatMap { languages[String(name[...$0])] }
    }

    private static let mostInFront = 32

    private static let languages: [String: CodeStrings.Language] = [
        "R": .hashed, "Rscript": .hashed, "awk": .awk, "bun": .slashed, "crystal": .hashed, "deno": .slashed,
        "elixir": .hashed, "gawk": .awk, "goawk": .awk, "groovy": .slashed, "guile": .dashed, "ipython": .python,
        "irb": .scripting, "jruby": .scripting, "julia": .scripting, "lua": .dashed, "luajit": .dashed, "mawk": .awk,
        "nawk": .awk, "node": .slashed, "nodejs": .slashed, "osascript": .dashed, "perl": .scripting, "php": .scripting,
        "pypy": .python, "python": .python, "pythonw": .python, "raku": .scripting, "ruby": .scripting,
        "scala": .slashed, "ts-node": .slashed, "tsx": .slashed,
    ]
}

// MARK: - Where programs stand

extension LanguageTexts {
    /// The words behind the interpreter that are programs.
    private static func programs(of words: [String], at place: Int, in language: CodeStrings.Language) -> [String] {
        let rest = words[place...].dropFirst()
        if language == .awk { return rest.filter(mayHaveStrings) }
        var found: [String] = []
        var last = ""
        for (place, word) in zip(rest.indices, rest) {
            if takesProgram(last, language) {
                found.append(word)
            } else if language == .python, PythonOptions.valued(in: word)?.letter == UInt8(ascii: "m") {
                // `python3 -m timeit 'system("x")'`
                return found + rest[place...].filter(mayHaveStrings)
            } else if word.utf8.first == UInt8(ascii: "-") {
                // `-e'system("x")'`, `-ne'…'`: each letter may be the last of the options.
                if mayHaveStrings(word) { found += attached(word) }
            } else if last.utf8.first != UInt8(ascii: "-"), !subcommands.contains(word) {
                // A script; what follows is handed to it.
                break
            }
            last = word
        }
        return found
    }

    /// Returns the word, and what stands behind each of its letters: that may be a program.
    private static func attached(_ word: String) -> [String] {
        let letters = word.utf8.dropFirst().prefix(mostLetters).prefix { ShellCharacters.isAlphanumeric($0) }
        return [word] + letters.indices.map { String(Substring(word.utf8[word.utf8.index(after: $0)...])) }
    }

    private static let mostLetters = 6

    /// True for `-e`, `--eval`, `-lane` and their like.
    private static func takesProgram(_ word: String, _ language: CodeStrings.Language) -> Bool {
        if subcommands.contains(word) { return word == "eval" }
        guard word.utf8.first == UInt8(ascii: "-"), let last = word.utf8.last else { return false }
        if word.utf8.starts(with: "--".utf8) { return long.contains(word) }
        return (language == .python ? "c" : "ceEprBRx").utf8.contains(last)
    }

    private static let subcommands: Set<String> = ["eval", "exec", "run", "x"]
    private static let long: Set<String> = ["--command", "--eval", "--exec", "--execute", "--print", "--run"]
}

// MARK: - What they start

extension LanguageTexts {
    private static func texts(
        of program: String, in language: CodeStrings.Language, isCertain: Bool = true
    ) -> [TextOperands.Text] {
        guard mayHaveStrings(program) else { return [] }
        let (strings, startsCommands) = CodeStrings.read(program, in: language)
        guard startsCommands else { return [] }
        var lines = Lines()
        for run in runs(of: strings) { lines.add(run) }
        return lines.texts.map { TextOperands.Text(line: $0.line, isCertain: $0.isCertain && isCertain) }
    }

    /// The strings that stand one behind another, as in a list.
    private static func runs(of strings: [CodeStrings.Found]) -> [ArraySlice<CodeStrings.Found>] {
        var runs: [ArraySlice<CodeStrings.Found>] = []
        var start = 0
        for place in strings.indices.dropFirst() where strings[place].isFirst {
            runs.append(strings[start..<place])
            start = place
        }
        return strings.isEmpty ? [] : runs + [strings[start...]]
    }

    /// The lines that a shell may get, and lists that may be the words of a command.
    private struct Lines {
        private var certain: [String] = []
        private var possible: [String] = []
        /// Lines with quotes and the like, which could change the meaning of those behind them.
        private var alone: [TextOperands.Text] = []

        /// The most lines that are texts of their own.
        private static let mostAlone = 32
        /// The most places in a list where a command may begin, and the most words of one.
        private static let mostStarts = 8
        private static let mostWords = 200

        mutating func add(_ run: ArraySlice<CodeStrings.Found>) {
            guard let first = run.first else { return }
            for string in run where string.isStart || string.isLine {
                // A single word may be the name of anything.
                if string.isLine || first.isRun { add(string.text, isCertain: first.isRun) }
            }
            guard run.count > 1 else { return }
            for start in run.indices.filter({ run[$0].isStart }).prefix(Self.mostStarts) where start + 1 < run.endIndex
            {
                let words = run[start...].prefix(Self.mostWords).map { shellQuoted($0.text) }
                add(words.joined(separator: " "), isCertain: first.isRun)
            }
        }

        private mutating func add(_ line: String, isCertain: Bool) {
            if line.utf8.contains(where: { "\"'`\\$()<>{}#".utf8.contains($0) }), alone.count < Self.mostAlone {
                alone.append(TextOperands.Text(line: line, isCertain: isCertain))
            } else if isCertain {
                certain.append(line)
            } else {
                possible.append(line)
            }
        }

        var texts: [TextOperands.Text] {
            let joined = [(certain, true), (possible, false)].filter { !$0.0.isEmpty }
            return alone
                + joined.map { TextOperands.Text(line: $0.joined(separator: "\n"), isCertain: $1) }
        }
    }
}
