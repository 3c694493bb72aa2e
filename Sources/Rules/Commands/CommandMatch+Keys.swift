/// The texts of a command's keys.
extension CommandMatch {
    /// The key, and those of commands that do more.
    /// - Parameter home: the directory whose settings the command loads; empty for its own directory.
    func text(of home: String, passed: [String] = []) -> CommandKey.Text {
        CommandKey.Text(
            own: text(row.start, row.keyOptions, home, passed),
            wider: row.wider.map { text($0.start, $0.options, home, passed) })
    }

    private func text(_ start: String, _ options: [String], _ home: String, _ passed: [String]) -> String {
        var text = start
        for word in key { text += text.isEmpty ? word : " " + word }
        if !home.isEmpty { text += " " + home }
        for option in options + passed { text += " " + option }
        return text
    }

    /// The key of the same command with fewer words, of which a rule covers the command, too.
    func shorterText() throws(Refusal) -> [String] {
        if isStartOfDiscovery { return startsInPackages ? [row.start] : [] }
        // Without a word unittest discovers from the current directory.
        if row.words.last == "unittest", key.isEmpty { return [row.start + " ."] }
        return try passed?.ofOrders().map { [text(of: homes[0], passed: $0).own] } ?? []
    }

    /// The commit from which a new branch starts, for the key: git replaces files of the work tree by those of that commit, also
    /// ignored ones. Throws for one that is counted from another, which may be a different commit each time.
    func startOfBranch(_ operands: [ShellWord]) throws(Refusal) -> [String] {
        guard row.start != "git pull", row.bringsFiles(words), let start = operands.last?.value else { return [] }
        let folded = SensitiveNames.folded(start.utf8)
        // `FETCH_HEAD`, `ORIG_HEAD`, the newest stash
        let isMoved = folded.suffix(5).elementsEqual("_head".utf8) || folded.suffix(5).elementsEqual("stash".utf8)
        guard !isMoved, !start.utf8.contains(where: { "~^@".utf8.contains($0) }) else { throw .operand(start) }
        return [start]
    }
}
