import Text

/// Tags of the root's repository. A push of one publishes a release, which the rule for pushing branches does not cover.
extension SessionRoot {
    /// True if a name behind the remote of `git push` is a tag's, or where that cannot be told.
    func mayBeTag(_ name: String) -> Bool {
        let folded = SensitiveNames.folded(name.utf8)
        // `git push origin tag v1`
        if folded.elementsEqual("tag".utf8) || folded.starts(with: "tags/".utf8) { return true }
        if folded.starts(with: "refs/".utf8) { return !folded.starts(with: "refs/heads/".utf8) }
        guard let directory = commonDirectory, disk.kind(of: PathText.join(directory, "reftable")) == .missing else {
            return true
        }
        // A directory holds the tags whose names begin with this one and a slash.
        let loose = disk.kind(of: PathText.join(directory, "refs/tags/" + name))
        guard loose == .missing || loose == .directory else { return true }
        let packed = PathText.join(directory, "packed-refs")
        guard disk.kind(of: packed) != .missing else { return false }
        guard let text = disk.text(of: packed, limit: Self.longestRefs, isOnlySearched: true) else { return true }
        let entry = " refs/tags/" + name
        return text.holds(entry + "\n") || text.utf8.suffix(entry.utf8.count).elementsEqual(entry.utf8)
    }

    /// Bytes of `packed-refs`, some 15,000 branches and tags.
    private static let longestRefs = 1 << 20
}
