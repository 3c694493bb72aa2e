/// Finds the row of a command, and its key.
enum KeyFinder {
    /// The key under the longest row that takes all of the command's words.
    static func key(of words: [ShellWord], in place: Place) throws(Refusal) -> CommandKey {
        if let scope = try PackageScope.read(words, in: place) {
            return scope.key(try key(of: scope.words, in: scope.place))
        }
        let (words, place) = try canonical(words, in: place)
        guard place.isInside, place.suits(words[0].value) else { throw .workingDirectory }
        // Below the top of the work tree a repository may have come, a manifest or a version file.
        if !PathText.same(place.resolved.path, place.ground.root.path) { try place.checkIsKnown(words[0].value) }
        var refusal: Refusal?
        for row in rows(for: words, in: place.ground.context.commands) {
            do throws(Refusal) {
                let key = try CommandMatch.key(of: words, by: row, in: place)
                try checkRepository(words, place)
                return key
            } catch {
                // What a shorter row says tells more than that a longer key is not there.
                if case .missing? = refusal { refusal = error } else { refusal = refusal ?? error }
            }
        }
        throw refusal ?? .noRow(words[0].value)
    }

    static func rows(for words: [ShellWord], in table: CommandTable) -> some Sequence<CommandRow> {
        let name = words[0].value
        let isFile = name.utf8.starts(with: "./".utf8) && !CommandRow.wrappers.contains(name)
        let rows = table.rows(named: isFile ? "./" : name)
        return rows.lazy.filter { CommandMatch.begins(words, with: $0) }
    }

    /// `[ … ]` is `test`; `git --no-pager` and `git -C DIR` are `git`, the latter in DIR; see also
    /// `OtherSpellings`.
    static func canonical(_ words: [ShellWord], in place: Place) throws(Refusal) -> ([ShellWord], Place) {
        if PathText.same(words[0].value, "[") {
            guard let last = words.last, words.count > 1, PathText.same(last.value, "]") else { throw .missing("]") }
            return ([ShellWord("test")] + words.dropFirst().dropLast(), place)
        }
        guard PathText.same(words[0].value, "git") else { return (OtherSpellings.usual(words), place) }
        var rest = words.dropFirst()
        var place = place
        var hasMoved = false
        while let word = rest.first {
            if PathText.same(word.value, "--no-pager") {
                rest.removeFirst()
            } else if PathText.same(word.value, "-C"), !hasMoved, rest.count > 1 {
                rest.removeFirst()
                place = try place.enter(rest.removeFirst())
                hasMoved = true
            } else {
                break
            }
        }
        // The shell expands a glob where it is, not where git goes.
        for word in rest where hasMoved && word.marks == .glob && !word.isQuoted { throw .expansion(word.value) }
        return ([words[0]] + rest, place)
    }

    /// A repository planted below the root has hooks and settings of its own. `gh` asks git where it is, and is of use
    /// where there is no repository, too.
    private static func checkRepository(_ words: [ShellWord], _ place: Place) throws(Refusal) {
        let isOfGitHub = PathText.same(words[0].value, "gh")
        guard isOfGitHub || PathText.same(words[0].value, "git") else { return }
        if isOfGitHub, place.repository == nil { return }
        guard let found = place.repository, let own = place.ground.repository, PathText.same(found, own),
            place.ground.disk.isWorkTree(own)
        else { throw .repository }
        // Below the top of the work tree the root itself may be a repository by then.
        if !place.ground.isTopOfWorkTree { try place.checkIsKnown(words[0].value) }
    }
}
