import Text

/// References of the root's repository that are no branches. A push of a tag publishes a release, which the rule for pushing
/// branches does not cover.
extension SessionRoot {
    /// True if a name behind the remote of `git push` is that of another reference than a branch, such as a tag, or where
    /// that cannot be told. Git looks for `refs/NAME` and `refs/tags/NAME` before `refs/heads/NAME`.
    func mayBeNoBranch(_ name: String) -> Bool {
        let folded = SensitiveNames.folded(name.utf8)
        // `git push origin tag v1`
        if folded.elementsEqual("tag".utf8) || folded.starts(with: "tags/".utf8) { return true }
        if folded.starts(with: "refs/".utf8) { return !folded.starts(with: "refs/heads/".utf8) }
        guard let directory = commonDirectory, disk.kind(of: PathText.join(directory, "reftable")) == .missing else {
            return true
        }
        let others = ["refs/tags/\(name)", "refs/\(name)"]
        // A directory holds the references whose names begin with this one and a slash.
        let isLoose = others.contains { other in
            let kind = disk.kind(of: PathText.join(directory, other))
            return kind != .missing && kind != .directory
        }
        if isLoose { return true }
        let packed = PathText.join(directory, "packed-refs")
        guard disk.kind(of: packed) != .missing else { return false }
        guard let text = disk.text(of: packed, limit: Self.longestRefs, isOnlySearched: true) else { return true }
        return others.contains { other in
            let entry = " " + other
            return text.holds(entry + "\n") || text.utf8.suffix(entry.utf8.count).elementsEqual(entry.utf8)
        }
    }

    /// Bytes of `packed-refs`, some 15,000 branches and tags.
    private static let longestRefs = 1 << 20
}
