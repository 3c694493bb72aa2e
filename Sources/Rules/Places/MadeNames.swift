/// Reads commands of managers whose task only a variable names: `npm run $1`, `make "$target"`. Any of theirs may be meant.
struct MadeNames {
    private enum Place {
        case other
        /// Behind a manager, the name of whose task stands behind `run`.
        case manager
        case script, rule
    }

    private(set) var scripts = false
    private(set) var rules = false
    private var place = Place.other
    private var takesMany = false
    private var last: ArraySlice<UInt8> = []

    /// - Parameter text: case folded.
    init(in text: [UInt8]) {
        guard text.contains(UInt8(ascii: "$")) else { return }
        var end = 0
        for word in text.split(whereSeparator: { TaskNames.ends[Int($0)] }) {
            let gap = text[end..<word.startIndex]
            if gap.contains(where: { "\n;&|`".utf8.contains($0) }) { place = .other }
            take(word, isValue: gap.contains(UInt8(ascii: "=")))
            (last, end) = (word, word.endIndex)
        }
    }

    private mutating func take(_ word: ArraySlice<UInt8>, isValue: Bool) {
        let name = Array(word.lastIndex(of: UInt8(ascii: "/")).map { word[($0 + 1)...] } ?? word)
        if let known = Self.table[name] {
            (place, takesMany) = (known, known == .rule || known == .script && Self.runners.contains(name))
        } else if place == .manager || place == .script, Self.runs.contains(name) {
            place = .script
        } else if word.first != UInt8(ascii: "-"), !isValue, !Self.withValues.contains(Array(last)) {
            takeOperand(word, isBehindLetter: Self.lettersWithValues.contains(Array(last)))
        }
    }

    /// - Parameter isBehindLetter: whether the word may be the value of an option, which some managers have without one.
    private mutating func takeOperand(_ word: ArraySlice<UInt8>, isBehindLetter: Bool) {
        if word.first == UInt8(ascii: "$") {
            if place == .script { scripts = true }
            if place == .rule, !isBehindLetter { rules = true }
        } else if place == .script, !takesMany, !isBehindLetter {
            place = .manager
        }
    }

    private static let runs = Set(TaskNames.list("run run-script task"))
    private static let runners = Set(TaskNames.list("npm-run-all npm-run-all2 run-p run-s"))
    /// Options behind which a value stands.
    private static let withValues = Set(
        TaskNames.list("--cwd --dir --directory --file --filter --jobs --makefile --prefix --project --workspace"))
    private static let lettersWithValues = Set(TaskNames.list("-c -f -j -w"))

    private static let names: [(Place, String)] = [
        (.manager, "deno hatch npm pipenv poetry rye uv"),
        (.script, "bun npm-run-all npm-run-all2 pdm pnpm poe run-p run-s yarn"),
        (.rule, "bmake gmake just make remake"),
    ]
    private static let table: [[UInt8]: Place] = names.reduce(into: [:]) { table, row in
        for name in TaskNames.list(row.1) { table[name] = row.0 }
    }
}
