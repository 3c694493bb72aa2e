/// The programs of a line that run a file of which the name is no word of theirs.
extension StartedFile {
    /// The words that may be the file: the program, if a path or an expansion names it, and the operands of an interpreter.
    func operands(of command: [String]) -> [String] {
        guard let name = command.first, !FileCheckers.includes(command) else { return [] }
        let isFile =
            name.utf8.contains(UInt8(ascii: "/"))
            || name.utf8.first == UInt8(ascii: "$") && name != CommandWords.anyProgram
        guard let kind = Kind(DeniedCommand.baseName(name)) else { return isFile ? [name] : [] }
        if let text = Self.text(of: command) {
            // `bash -c "$(cat run.sh)"`, `find . -exec bash -c {} \;`
            return text.utf8.starts(with: ShellGlance.substituted.utf8) || text == FilledPlaces.input ? [text] : []
        }
        return Self.operands(of: command[...], kind).map { command[$0] }
    }

    /// True for an interpreter that checks the files among its operands, and for a shell that hands them to a text.
    func keepsOperands(_ command: [String]) -> Bool {
        FileCheckers.includes(command) || Self.text(of: command) != nil
    }

    /// The text that a shell runs: `bash -c 'ls'`.
    private static func text(of command: [String]) -> String? {
        guard let name = command.first, Kind(DeniedCommand.baseName(name)) == .shell else { return nil }
        let place = command.prefix(mostWords).firstIndex { isOption($0) && ends($0, Kind.shell.endingLetters) }
        return place.map { command[$0...].dropFirst().first ?? "" }
    }

    /// True for an interpreter that runs what it reads.
    func readsProgram(_ command: [String]) -> Bool {
        guard let kind = command.first.flatMap({ Kind(DeniedCommand.baseName($0)) }), kind != .launcher,
            !FileCheckers.includes(command)
        else { return false }
        let operands = command.dropFirst().prefix(Self.mostWords)
        if kind == .shell && operands.contains("-s") || operands.contains("-") || operands.contains("/dev/stdin") {
            return true
        }
        return command[0] != "."
            && operands.allSatisfy {
                Self.isOption($0) && !Self.ends($0, kind.endingLetters) && !Self.answering.contains($0)
            }
    }

    /// The most words of a command in which options are looked for.
    private static let mostWords = 200

    /// Options behind which an interpreter prints and ends.
    private static let answering: Set<String> = ["--help", "--version", "-V", "-h", "-v"]
}
