/// What a command hands on as it is written, to a script or a test.
struct HandedWords {
    private var words: [String] = []
    /// `--dry-run` and its like are among them: who allowed that has not allowed the script without it.
    private(set) var isLesser = false
    /// Such a word is part of the key anyway, as `--dry-run=server` is.
    private(set) var isLesserOnly = false

    mutating func append(_ word: String, isOfKey: Bool = false) {
        words.append(word)
        guard WordShapes.lessens(word) || !isOfKey && WordShapes.lessensByValue(word) else { return }
        isLesser = true
        if isOfKey { isLesserOnly = true }
    }

    /// All of them, none with a blank: another word before, between or behind may be what undoes `--dry-run`, takes it for a
    /// value or ends the options.
    func plain() throws(Refusal) -> [String] {
        var rest = words
        while let last = rest.last, WordShapes.onlySaysMore(last) { rest.removeLast() }
        for word in rest {
            guard !word.isEmpty, !word.utf8.contains(where: { $0 <= 0x20 }) else { throw .operand(word) }
        }
        return rest
    }
}
