/// Texts that a shell evaluates again, although they were quoted.
enum EvaluatedText {
    /// Commands that evaluate the index of an array in their words: `printf -v 'x[$(ls)]'` runs `ls`.
    private static let evaluating: Set<String> = [
        "[", "[[", "declare", "export", "float", "getopts", "integer", "let", "local", "mapfile", "printf", "read",
        "readarray", "readonly", "test", "typeset", "unset", "wait",
    ]

    /// The commands of the substitutions in the indices that commands evaluate, and whether all were read to their ends.
    static func read(_ commands: [[String]]) -> (commands: [[String]], isWhole: Bool) {
        var found: [[String]] = []
        var isWhole = true
        for words in commands {
            guard let name = words.first, evaluating.contains(name) else { continue }
            for word in words.dropFirst() {
                guard let index = word.utf8.firstIndex(of: UInt8(ascii: "[")) else { continue }
                let inner = ShellGlance.read(text: word.utf8[index...])
                found += inner.commands
                isWhole = isWhole && inner.isWhole
            }
        }
        return (found, isWhole)
    }
}
