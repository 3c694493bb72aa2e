/// The words of one command, to be compared with those of many denied ones. What that needs is made with the first that
/// has the same program.
final class CommandWords {
    /// In place of a program that nobody can tell before the line runs: `$x push`.
    static let anyProgram = "$"
    /// Words that nobody can tell, of which more are not compared: any denied word may be among them.
    private static let mostUnknown = 64

    let words: [String]
    private lazy var places = Dictionary(grouping: words.indices) { words[$0] }
    private lazy var targets = Targets.all(in: words)
    /// The places of words that may stand between the denied ones.
    private lazy var skipped = set(of: words.indices.filter(maySkip))
    /// The same, with every word behind an option: that may be the option's value.
    private lazy var loose = set(of: words.indices.filter { maySkip(at: $0) || isBehindOption(at: $0) })
    /// The places of words with an expansion or a pattern, which may turn out to be a denied one. The value of an option is
    /// none.
    private lazy var unknown = words.indices.filter { place in
        place > 0 && words[place].utf8.contains(where: Self.expands) && !isValue(at: place)
            && words[place] != ShellGlance.file
    }

    /// True if an interpreter checks the files among the words and runs none.
    private lazy var onlyChecks = FileCheckers.includes(words)

    init(_ words: [String]) {
        self.words = words
    }

    /// True if the command begins with the denied words that are no options, in their order, and has all denied options
    /// somewhere. Other options may stand between them, and variables, which may be empty: `make -k $X deploy`. Both ways
    /// to read a word behind an option are followed, as its value or not. In the place of a denied word an expansion
    /// counts, since nobody can tell what it becomes: `git $x`.
    /// - Parameters:
    ///   - isWhole: whether only options may follow.
    ///   - isLoose: whether any option may have the next word for its value, not only those that are known to.
    func match(_ denied: [String], isWhole: Bool = false, isLoose: Bool = false) -> Bool {
        guard let name = denied.first, let first = words.first else { return false }
        guard first == name else {
            return first == Self.anyProgram && denied.dropFirst().contains { !Self.isOption($0) }
                && matchArguments(denied.dropFirst(), unknown: [], isWhole: isWhole, over: isLoose ? loose : skipped)
        }
        // A deny for what runs a file holds for a check of it only where it names the check, or the program alone.
        if onlyChecks, denied.dropFirst().contains(where: { !Self.isOption($0) }), !FileCheckers.includes(denied) {
            return false
        }
        return unknown.count > Self.mostUnknown
            || Targets.areTaken(by: name) && takesTargets(denied.dropFirst())
            || matchArguments(
                denied.dropFirst(), unknown: unknown, isWhole: isWhole, over: isLoose ? loose : skipped)
    }

    /// True if all denied words are among those of a program that takes several targets, in whatever order.
    private func takesTargets(_ denied: ArraySlice<String>) -> Bool {
        denied.contains { !Self.isOption($0) }
            && denied.allSatisfy { word in
                let target = Targets.target(of: word, for: words[0])
                return places[word] != nil || targets.contains(target)
                    || words[0] == "gradle" && targets.contains { Targets.abbreviates($0, target) }
                    || unknown.contains { Self.mayBe(words[$0], target) }
            }
    }

    private func matchArguments(
        _ denied: ArraySlice<String>, unknown: [Int], isWhole: Bool, over skipped: PlaceSet
    ) -> Bool {
        guard !unknown.isEmpty || words.count > denied.count,
            denied.allSatisfy({ word in places[word] != nil || unknown.contains { Self.mayBe(words[$0], word) } })
        else { return false }
        var sets: [String: PlaceSet] = [:]
        var reached = set(of: [1])
        var behindUnknown: PlaceSet?
        for wanted in denied where !Self.isOption(wanted) {
            let found = sets[wanted] ?? set(of: places[wanted] ?? [])
            sets[wanted] = found
            let next = reached.over(skipped)
            reached = next.behind(found)
            guard !unknown.isEmpty else { continue }
            // An expansion may become several words.
            let possible = set(of: unknown.filter { Self.mayBe(words[$0], wanted) })
            let behind = next.behind(possible)
            behindUnknown = behindUnknown?.union(behind) ?? behind
            reached = reached.union(behindUnknown ?? behind)
        }
        return isWhole ? reached.over(skipped).contains(words.count) : !reached.isEmpty
    }

    private static func expands(_ byte: UInt8) -> Bool { "$*?[".utf8.contains(byte) }

    /// True if the word may become the denied one: what stands before its expansion is the beginning of it, and behind
    /// its pattern the end. For an option only what begins like one counts: otherwise `rm "$x"` would be `rm -rf build`.
    static func mayBe(_ word: String, _ denied: String) -> Bool {
        guard let end = word.utf8.firstIndex(where: expands) else { return false }
        let front = word.utf8[..<end]
        guard denied.utf8.starts(with: front), !isOption(denied) || !front.isEmpty else { return false }
        if word.utf8.contains(UInt8(ascii: "$")) { return true }
        let back = word.utf8.reversed().prefix { !"*?]".utf8.contains($0) }
        return denied.utf8.reversed().starts(with: back)
    }

    private func set(of places: [Int]) -> PlaceSet {
        var set = PlaceSet(count: words.count + 1)
        for place in places { set.insert(place) }
        return set
    }

    private func maySkip(at place: Int) -> Bool {
        Self.isOption(words[place]) || words[place].utf8.first == UInt8(ascii: "$") || isValue(at: place)
            // `cargo +nightly publish`, `make X=1 deploy`.
            || place == 1 && words[place].utf8.first == UInt8(ascii: "+") || DeniedCommand.isAssignment(words[place])
    }

    private func isBehindOption(at place: Int) -> Bool {
        place > 1 && Self.isOption(words[place - 1]) && !words[place - 1].utf8.contains(UInt8(ascii: "="))
    }

    private func isValue(at place: Int) -> Bool {
        place > 1 && DeniedCommand.valued.contains(words[place - 1])
    }

    private static func isOption(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }
}
