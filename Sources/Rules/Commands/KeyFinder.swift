/// Finds the matching row of a command, and its key.
enum KeyFinder {
    /// The key under the longest row that accepts all of the command's words. Throws where there is none.
    static func key(of words: [ShellWord], in place: Place) throws(Refusal) -> CommandKey {
        if let scope = try PackageScope.read(words, in: place) {
            return scope.key(try key(of: scope.words, in: scope.place))
        }
        let (words, place) = try canonical(words, in: place)
        guard place.isInside, place.suits(words[0].value) else { throw .workingDirectory }
        // A command before this one may have brought a repository, a manifest or a version file below the root.
        if !PathText.same(place.resolved.path, place.root.resolved.path) { try place.checkIsKnown(words[0].value) }
        var refusal: Refusal?
        for row in rows(for: words, in: place.root.context.commands) {
            do throws(Refusal) {
                let key = try CommandMatch.key(of: words, by: row, in: place)
                try checkRepository(words, place)
                try CargoPackages.check(words, in: place)
                return key
            } catch {
                // The reason of a shorter row tells more than "missing" of a longer one.
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

    /// The canonical words, and the directory in which they run: `[ … ]` becomes `test`, `git --no-pager` becomes
    /// `git`, and `git -C DIR` becomes `git` in DIR. See also `OtherSpellings`.
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
        // The shell expands a glob in its own directory, not in that of `git -C`.
        for word in rest where hasMoved && word.marks == .glob && !word.isQuoted { throw .expansion(word.value) }
        return ([words[0]] + rest, place)
    }

    /// Throws for git and gh in a repository other than the root's own: one planted below the root has hooks and
    /// settings of its own. gh asks git for the repository, but also works without one.
    private static func checkRepository(_ words: [ShellWord], _ place: Place) throws(Refusal) {
        let isOfGitHub = PathText.same(words[0].value, "gh")
        guard isOfGitHub || PathText.same(words[0].value, "git") else { return }
        if isOfGitHub, place.repository == nil { return }
        guard let found = place.repository, let own = place.root.repository, PathText.same(found, own),
            place.root.disk.isWorkTree(own)
        else { throw .repository }
        // If the root is only a part of the work tree, a command before may have made the root itself a repository.
        if !place.root.isTopOfWorkTree { try place.checkIsKnown(words[0].value) }
    }
}
