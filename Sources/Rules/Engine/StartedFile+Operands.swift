/// The programs of a line that run a file of which the name is no word of theirs.
extension StartedFile {
    /// The words that may be the file: the program, if a path or an expansion names it, and the operands of an interpreter.
    func operands(of command: [String]) -> [String] {
        guard let name = command.first, !FileCheckers.includes(command) else { return [] }
        let isFile =
            name.utf8.contains(UInt8(ascii: "/"))
            || name.utf8.first == UInt8(ascii: "$") && name != CommandWords.anyProgram
        guard let kind = Kind(DeniedCommand.baseName(name)) else { return isFile ? [name] : [] }
        if kind == .shell,
            let place = command.prefix(Self.mostWords).firstIndex(where: {
                Self.isOption($0) && Self.ends($0, kind.endingLetters)
            })
        {
            // `bash -c "$(cat run.sh)"`
            let text = command[place...].dropFirst().first ?? ""
            return text.utf8.starts(with: ShellGlance.substituted.utf8) ? [text] : []
        }
        return Self.operands(of: command[...], kind).map { command[$0] }
    }

    /// True for an interpreter that runs what it reads.
    func readsProgram(_ command: [String]) -> Bool {
        guard let kind = command.first.flatMap({ Kind(DeniedCommand.baseName($0)) }), kind != .launcher,
            command[0] != ".", !FileCheckers.includes(command)
        else { return false }
        let operands = command.dropFirst().prefix(Self.mostWords)
        if kind == .shell && operands.contains("-s") || operands.contains("-") || operands.contains("/dev/stdin") {
            return true
        }
        return operands.allSatisfy {
            Self.isOption($0) && !Self.ends($0, kind.endingLetters) && !Self.answering.contains($0)
        }
    }

    /// The most words of a command in which options are looked for.
    private static let mostWords = 200

    /// Options behind which an interpreter prints and ends.
    private static let answering: Set<String> = ["--help", "--version", "-V", "-h", "-v"]
}
