import OrderedJSON

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
        guard let packed = packedReferences else { return true }
        return others.contains { packed.contains(ExactString($0)) }
    }

    /// The names in `packed-refs`; nil where it cannot be read.
    func readPackedReferences() -> Set<ExactString>? {
        guard let directory = commonDirectory else { return nil }
        let file = PathText.join(directory, "packed-refs")
        guard disk.kind(of: file) != .missing else { return [] }
        guard let text = disk.text(of: file, limit: Self.longestRefs, isOnlySearched: true) else { return nil }
        // Each name stands behind the commit's, and no name has a space.
        let names = text.utf8.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line in
            line.firstIndex(of: UInt8(ascii: " ")).map { Substring(line[$0...].dropFirst()) }
        }
        return Set(names.map { ExactString(String($0)) })
    }

    /// Bytes of `packed-refs`, some 15,000 branches and tags.
    private static let longestRefs = 1 << 20
}
