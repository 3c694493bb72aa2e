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

    /// The commands of the substitutions in the indices that commands evaluate, those in texts that are handed to a
    /// shell, and whether all were read to their ends.
    static func read(_ commands: [[String]]) -> (commands: [[String]], isWhole: Bool) {
        var found: [[String]] = []
        var isWhole = true
        var left = most
        var level = commands
        for depth in 0...deepest where !level.isEmpty && isWhole {
            var next: [[String]] = []
            for words in level {
                let (inner, isRead) = inner(of: words, left: &left, mayRead: depth < deepest)
                next += inner
                isWhole = isWhole && isRead
            }
            found += next
            level = next
        }
        return (found, isWhole)
    }

    private static func inner(
        of words: [String], left: inout Int, mayRead: Bool
    ) -> (commands: [[String]], isWhole: Bool) {
        var found: [[String]] = []
        var isWhole = true
        func take(_ read: (commands: [[String]], isWhole: Bool)) {
            found += read.commands
            isWhole = isWhole && read.isWhole
        }
        for word in words {
            if let index = index(in: word, of: words.first) { take(ShellGlance.read(text: word.utf8[index...])) }
        }
        for text in DeniedCommand.texts(in: words) {
            guard mayRead, left > 0 else { return (found, false) }
            left -= 1
            take(ShellGlance.read(text))
        }
        return (found, isWhole)
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
