import Text

/// Texts that a shell evaluates again, although they were quoted.
enum EvaluatedText {
    /// Commands that evaluate the index of an array in their words: `printf -v 'x[$(ls)]'` runs `ls`.
    private static let evaluating: Set<String> = [
        "[", "[[", "declare", "export", "float", "getopts", "integer", "let", "local", "mapfile", "printf", "read",
        "readarray", "readonly", "test", "typeset", "unset", "wait",
    ]

    /// The deepest nesting of texts in texts that is read.
    private static let deepest = 4
    /// The most texts of a line that are read.
    private static let most = 256
    /// The most bytes of all texts of a line, those in texts again: a line that nests long ones would take long to read.
    private static let mostBytes = 256 << 10
    /// The most commands of a line and its texts: each is compared in several ways.
    static let mostCommands = 4_096

    /// The commands of the texts in a line.
    struct Found {
        /// Those of substitutions in the indices that commands evaluate, and of texts that are handed to a shell.
        var commands: [[String]] = []
        /// False if some of them were not read.
        var isWhole = true
        /// Those of texts of which nobody knows whether a shell gets them.
        var possible: [[String]] = []
        /// What commands of the texts, other than possible ones, get beside their words.
        var inputs: [ShellGlance.Input] = []
        var isPossibleWhole = true
    }

    /// What was read of one text.
    private struct Group {
        let reading: ShellGlance.Reading
        let isCertain: Bool
    }

    private struct Budget {
        var texts = most
        var bytes = mostBytes
        var commands = mostCommands

        /// False once the texts are more than are read.
        mutating func spend(bytes count: Int) -> Bool {
            guard texts > 0, bytes >= count else { return false }
            texts -= 1
            bytes -= count
            return true
        }
    }

    static func read(_ line: ShellGlance.Reading) -> Found {
        var found = Found()
        var budget = Budget()
        var level = [Group(reading: line, isCertain: true)]
        for depth in 0...deepest where !level.isEmpty && found.isWhole {
            level = level.flatMap { inner(of: $0, mayRead: depth < deepest, &budget, &found) }
            for group in level {
                if group.isCertain {
                    found.commands += group.reading.commands
                    found.inputs += group.reading.inputs
                    found.isWhole = found.isWhole && group.reading.isWhole
                } else {
                    found.possible += group.reading.commands
                    found.isPossibleWhole = found.isPossibleWhole && group.reading.isWhole
                }
            }
        }
        return found
    }

    private static func inner(
        of group: Group, mayRead: Bool, _ budget: inout Budget, _ found: inout Found
    ) -> [Group] {
        var groups: [Group] = []
        func add(_ reading: ShellGlance.Reading, isCertain: Bool) {
            let isCertain = isCertain && group.isCertain
            guard reading.commands.count <= budget.commands else { return leaveOut(isCertain, &found) }
            budget.commands -= reading.commands.count
            groups.append(Group(reading: reading, isCertain: isCertain))
        }
        for words in group.reading.commands {
            for word in words {
                guard let index = index(in: word, of: words.first) else { continue }
                add(ShellGlance.read(text: word.utf8[index...]), isCertain: true)
            }
        }
        let texts =
            group.reading.commands.flatMap(TextOperands.texts) + InputTexts.texts(in: group.reading)
            + LanguageTexts.texts(in: group.reading)
        for text in texts {
            let isCertain = text.isCertain && group.isCertain
            guard isCertain ? found.isWhole : found.isPossibleWhole else { continue }
            guard mayRead, budget.spend(bytes: text.line.utf8.count) else {
                leaveOut(isCertain, &found)
                continue
            }
            add(ShellGlance.read(text.line), isCertain: isCertain)
        }
        return groups
    }

    private static func leaveOut(_ isCertain: Bool, _ found: inout Found) {
        if isCertain { found.isWhole = false } else { found.isPossibleWhole = false }
    }

    /// The place of an index with a substitution in it, as an arithmetic expression may have it: `a[$(ls)]`. The shell
    /// evaluates such an expression also where it was quoted and stands in a variable.
    /// - Parameter program: that of the command. Nil for a program that takes texts, unless the word has an expansion.
    static func index(in word: String, of program: String?) -> String.Index? {
        guard let first = word.utf8.firstIndex(of: UInt8(ascii: "[")) else { return nil }
        if let program {
            if evaluating.contains(program) { return first }
            if Launchers.takesText(program), !word.holds("${"), !word.holds("$[") { return nil }
        }
        let end = word.utf8.lastIndex(of: UInt8(ascii: ")")) ?? word.startIndex
        var open: String.Index?
        var last: UInt8 = 0
        for place in word.utf8.indices {
            let byte = word.utf8[place]
            switch byte {
            case UInt8(ascii: "["):
                open = ShellCharacters.isAlphanumeric(last) || last == UInt8(ascii: "_") ? place : open
            case UInt8(ascii: "]"): open = nil
            case UInt8(ascii: "`"): if let open { return open }
            case UInt8(ascii: "("):
                if let open, last == UInt8(ascii: "$"), place < end { return open }
            default: break
            }
            last = byte
        }
        return nil
    }
}
