/// Options of Python's command line, of which several letters may stand in one word: `-um x` (python(1)).
enum PythonOptions {
    /// Those without a value.
    private static let flags = Set("BEIOPRSbdhisuvqx".utf8)

    /// The first letter of the word that is none of a flag, and what stands behind it: its value, or nothing where that is the
    /// next word. Nil for a word of flags alone, and for one that is no option.
    static func valued(in word: String) -> (letter: UInt8, attached: String)? {
        guard word.utf8.first == UInt8(ascii: "-") else { return nil }
        let rest = word.utf8.dropFirst().drop(while: flags.contains)
        return rest.first.map { ($0, String(Substring(rest.dropFirst()))) }
    }
}
