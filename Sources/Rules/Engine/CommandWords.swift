/// The words of one command, to be compared with those of many denied ones. What that needs is made with the first that
/// has the same program.
final class CommandWords {
    let words: [String]
    private lazy var places = Dictionary(grouping: words.indices) { words[$0] }
    /// The places of words that may stand between the denied ones.
    private lazy var skipped = set(of: words.indices.filter(maySkip))

    init(_ words: [String]) {
        self.words = words
    }

    /// True if the command begins with the denied words that are no options, in their order, and has all denied options
    /// somewhere. Other options may stand between them, and variables, which may be empty: `make -k $X deploy`. Both ways
    /// to read a word behind an option are followed, as its value or not.
    /// - Parameter isWhole: whether only options may follow.
    func match(_ denied: [String], isWhole: Bool = false) -> Bool {
        guard let name = denied.first, words.count >= denied.count, words[0] == name,
            denied.allSatisfy({ places[$0] != nil })
        else { return false }
        var sets: [String: PlaceSet] = [:]
        var reached = set(of: [1])
        for wanted in denied.dropFirst() where !Self.isOption(wanted) {
            let found = sets[wanted] ?? set(of: places[wanted] ?? [])
            sets[wanted] = found
            reached = reached.over(skipped).behind(found)
        }
        return isWhole ? reached.over(skipped).contains(words.count) : !reached.isEmpty
    }

    private func set(of places: [Int]) -> PlaceSet {
        var set = PlaceSet(count: words.count + 1)
        for place in places { set.insert(place) }
        return set
    }

    private func maySkip(at place: Int) -> Bool {
        Self.isOption(words[place]) || words[place].utf8.first == UInt8(ascii: "$")
            || place > 1 && DeniedCommand.valued.contains(words[place - 1])
    }

    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }
}
