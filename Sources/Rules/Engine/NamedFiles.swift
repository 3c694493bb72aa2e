/// Files that a line names in plain sight, while the program that runs them gets the name in another way: `./r*.sh`,
/// `bash < run.sh`, `echo run.sh | xargs bash`, `f=run.sh; sh $f`, `PATH=. run.sh`, `BASH_ENV=run.sh bash -c :`.
final class NamedFiles {
    typealias Command = (words: [String], readings: [[String]])

    private let commands: [Command]
    private let inputs: [ShellGlance.Input]
    private let started: StartedFile
    /// Only asked for where a deny is for a file.
    private lazy var found = Found(commands, inputs, started)

    /// - Parameters:
    ///   - commands: each with all its readings.
    ///   - inputs: what commands get beside their words.
    init(_ commands: [Command], _ inputs: [ShellGlance.Input], _ started: StartedFile) {
        (self.commands, self.inputs, self.started) = (commands, inputs, started)
    }

    /// True if the line may run the file of a denied command.
    /// - Parameter forms: those of the command that begin with the file.
    func mayRun(_ forms: [[String]]) -> Bool {
        forms.contains { form in
            guard let file = form.first, file.utf8.contains(UInt8(ascii: "/")) else { return false }
            return found.mayBe(file) && form.dropFirst().allSatisfy(found.mayHave)
        }
    }
}

/// The files of a line.
private struct Found {
    private let started: StartedFile
    /// Spelled as `StartedFile` does.
    private var files: Set<String> = []
    /// The same with patterns for names.
    private var patterns: Set<String> = []
    /// All words of the line.
    private let words: Set<String>

    /// More patterns are not compared: any may be that of a denied file.
    private static let mostPatterns = 64

    init(_ commands: [NamedFiles.Command], _ inputs: [ShellGlance.Input], _ started: StartedFile) {
        self.started = started
        words = Set(commands.lazy.flatMap(\.words))
        let takesInput = Set(inputs.lazy.filter { $0.kind == .document || $0.kind == .file }.map(\.command))
        var starts = Starts()
        // The operands of `bash -n {}` and `sh -c 'cat "$1"' _ {}` count as texts and commands, too, and are none.
        let keeps = commands.contains { $0.readings.contains(where: started.keepsOperands) }
        for (place, command) in commands.enumerated() where !keeps || !Self.isExpansion(command.words) {
            let readings = [command.words] + command.readings.filter { !keeps || !Self.isExpansion($0) }
            for word in readings.flatMap(started.operands) {
                addPattern(word)
                starts.note(word, at: place)
            }
            // `find . -execdir {} \;`
            let startsFound = readings.contains { $0.first == CommandWords.anyProgram }
            if startsFound, FilledPlaces.filled(command.words) != nil { starts.note(FilledPlaces.input, at: place) }
            guard readings.contains(where: started.readsProgram) else { continue }
            starts.reading.insert(command.words)
            if !takesInput.contains(command.words) { starts.note(FilledPlaces.input, at: place) }
        }
        addSettings(commands.map(\.words), inputs, starts)
        addWords(of: commands.map(\.words), inputs, starts)
        if words.contains(where: Self.setsPath)
            || inputs.contains(where: { $0.kind == .setting && Self.setsPath($0.text) })
        {
            for command in commands { addPrograms(of: command.readings) }
        }
    }

    private static func isExpansion(_ words: [String]) -> Bool {
        words.count == 1 && words[0].utf8.first == UInt8(ascii: "$") && words[0] != CommandWords.anyProgram
    }

    /// Adds the programs that a shell looks for in `PATH`.
    private mutating func addPrograms(of readings: [[String]]) {
        let names = Set(readings.compactMap(\.first))
        let found = names.filter { $0.utf8.contains(UInt8(ascii: "/")) }.map(DeniedCommand.baseName)
        files.formUnion(names.subtracting(found).map(StartedFile.anywhere))
    }

    func mayBe(_ file: String) -> Bool {
        files.contains(file) || patterns.count > Self.mostPatterns || patterns.contains { Self.mayBe($0, file) }
    }

    /// True for an argument of the denied command that may be one here.
    func mayHave(_ word: String) -> Bool { words.contains(word) || word.utf8.first == UInt8(ascii: "-") }

    private static func mayBe(_ pattern: String, _ file: String) -> Bool {
        let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") }
        return pattern.utf8.count(where: isSlash) == file.utf8.count(where: isSlash)
            && CommandWords.mayBe(pattern, file)
    }
}

// MARK: - Where names stand

extension Found {
    /// The places of a line at which programs start files whose names are no words of theirs.
    private struct Starts {
        /// The last that gets names from what runs before it.
        var behindOthers: Int?
        /// Those with a substitution for a name, whose command is the next one.
        var substituted: [Int] = []
        /// The variables that stand for some name; an empty text for one that nobody can tell.
        var variables: Set<String> = []
        /// What stands around such a variable: `./` and `.sh` in `./$x.sh`.
        var surroundings: [(front: String, back: String)] = []
        /// The commands that run what they read.
        var reading: Set<[String]> = []

        private static let mostSurroundings = 16

        private static func surroundings(of word: String) -> (String, String) {
            let front = word.utf8.prefix { $0 != UInt8(ascii: "$") }
            let name = word.utf8[front.endIndex...].dropFirst()
            let back = name.drop { ShellCharacters.isAlphanumeric($0) || "_{}".utf8.contains($0) }
            return (String(Substring(front)), String(Substring(back)))
        }

        func use(_ variable: some StringProtocol) -> Bool {
            variables.contains(String(variable)) || variables.contains("")
        }

        /// - Parameter word: the file.
        mutating func note(_ word: String, at place: Int) {
            if word.utf8.starts(with: ShellGlance.file.utf8) { substituted.append(place) }
            let name = DeniedCommand.baseName(word)
            guard let sign = name.utf8.firstIndex(of: UInt8(ascii: "$")) else { return }
            switch name.utf8[sign...].dropFirst().first ?? 0 {
            case UInt8(ascii: "("): substituted.append(place)
            case UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                behindOthers = place
            default:
                let rest = name.utf8[sign...].dropFirst().drop { $0 == UInt8(ascii: "{") }
                variables.insert(
                    String(Substring(rest.prefix { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") })))
                if surroundings.count < Self.mostSurroundings { surroundings.append(Self.surroundings(of: word)) }
            }
        }
    }

    /// Adds the words of commands from which a starting program may get its file.
    private mutating func addWords(of commands: [[String]], _ inputs: [ShellGlance.Input], _ starts: Starts) {
        let isRead = commands.contains { command in
            guard Self.reading.contains(command.first ?? "") else { return false }
            return command.dropFirst().contains(where: starts.use) || starts.use("REPLY")
        }
        let last = isRead ? commands.count - 1 : starts.behindOthers ?? -1
        for (place, command) in commands.enumerated() {
            if place <= last { addWords(command) }
            guard Self.keeping.contains(command.first ?? ""), command.count > 1, starts.use(command[1]) else {
                continue
            }
            for word in command.dropFirst(2) { addValue(word, starts) }
        }
        for place in Set(starts.substituted) where place + 1 < commands.count { addWords(commands[place + 1]) }
        for input in inputs {
            switch input.kind {
            case .file where starts.reading.contains(input.command): addName(input.text)
            case .document where starts.behindOthers != nil && FilledPlaces.filled(input.command) != nil:
                for name in input.text.split(whereSeparator: { " \t\n".utf8.contains($0.utf8.first ?? 0) }) {
                    addName(String(name))
                }
            default: continue
            }
        }
    }

    private mutating func addWords(_ command: [String]) {
        let isFinder = command.first.map { Self.finding.contains(DeniedCommand.baseName($0)) } ?? false
        for word in command.dropFirst() {
            addName(word)
            // `git show HEAD:run.sh`
            if let sign = word.utf8.lastIndex(of: UInt8(ascii: ":")) {
                addName(String(Substring(word.utf8[sign...].dropFirst())))
            }
            if isFinder, !word.utf8.contains(UInt8(ascii: "/")) { addName("*/" + word) }
        }
    }

    /// Adds the values of variables that name a file to be run, and of others if some program runs what a variable names.
    private mutating func addSettings(_ commands: [[String]], _ inputs: [ShellGlance.Input], _ starts: Starts) {
        let settings = inputs.lazy.filter { $0.kind == .setting }.map(\.text)
        for setting in settings + commands.lazy.flatMap(\.self).filter(DeniedCommand.isAssignment) {
            guard let sign = setting.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let variable = setting[..<sign]
            let isRun = Self.namingPrograms.contains { variable.utf8.reversed().starts(with: $0.utf8.reversed()) }
            guard isRun || starts.use(variable) else { continue }
            for name in setting.utf8[sign...].dropFirst().split(whereSeparator: { " \t\n=".utf8.contains($0) }) {
                addValue(String(Substring(name)), starts)
            }
        }
        // `alias d=./run.sh; d`
        for word in commands.lazy.filter({ $0.first == "alias" }).joined() {
            guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            addName(String(Substring(word.utf8[sign...].dropFirst().prefix { $0 != UInt8(ascii: " ") })))
        }
    }

    /// Adds what a variable may stand for, alone and in a word: `x=run; ./$x.sh`.
    private mutating func addValue(_ word: String, _ starts: Starts) {
        addName(word)
        for (front, back) in starts.surroundings where !front.isEmpty || !back.isEmpty { addName(front + word + back) }
    }

    private mutating func addName(_ word: String) {
        files.formUnion(started.paths(of: word))
        addPattern(word)
    }

    private mutating func addPattern(_ word: String) {
        guard patterns.count <= Self.mostPatterns, word.utf8.contains(where: "*?[".utf8.contains),
            !word.utf8.contains(UInt8(ascii: "$"))
        else { return }
        patterns.formUnion(started.places(of: word))
    }

    private static func setsPath(_ word: String) -> Bool {
        word.utf8.starts(with: "PATH=".utf8) || word.utf8.starts(with: "PATH+=".utf8)
    }

    /// Commands that set a variable to each of their words, and those that set it to what others print.
    private static let keeping: Set<String> = ["for", "select"]
    private static let reading: Set<String> = ["mapfile", "read", "readarray"]
    /// Programs whose operands are names in whatever directory.
    private static let finding: Set<String> = ["fd", "fdfind", "find", "gfind", "locate"]
    /// The ends of names of variables that programs take for the file to run first, an editor or the like.
    private static let namingPrograms = [
        "ASKPASS", "COMMAND", "EDITOR", "ENV", "OPT", "OPTIONS", "PAGER", "SHELL", "SSH", "STARTUP",
    ]
}
