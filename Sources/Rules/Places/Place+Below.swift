/// Checks for programs that read a directory recursively.
extension Place {
    /// The most names that are searched for secrets. Larger trees are refused.
    static let mostNamesBelow = 5000

    /// Throws unless the path is a file, or a directory that contains at any depth no sensitive name and no link out of
    /// it.
    /// - Parameters:
    ///   - left: how many names may still be visited, for all paths of a command together.
    ///   - passedOver: the names of entries that are skipped.
    func checkBelow(_ path: String, left: inout Int, passedOver: Set<String> = []) throws(Refusal) {
        try checkIsKnown(path)
        let top = resolve(path).path
        guard root.disk.kind(of: top) == .directory else { return }
        var directories = [top]
        while let directory = directories.popLast() {
            guard let entries = root.disk.entries(in: directory, atMost: left) else { throw .tooMuchBelow(path) }
            left -= entries.count
            for entry in entries where !passedOver.contains(entry.name) {
                let found = PathText.join(directory, entry.name)
                guard !SensitiveNames.isSensitive(component: Array(entry.name.utf8)) else { throw .sensitive(found) }
                switch entry.kind {
                case .directory: directories.append(found)
                case .link: try checkLink(found, below: top)
                case .other: break
                }
            }
        }
    }

    /// Throws for a link out of `top`, because some versions of grep follow links.
    func checkLink(_ link: String, below top: String) throws(Refusal) {
        let target = root.resolve(link)
        guard target.isCertain, PathText.contains(top, target.path) else { throw .outside(link) }
    }
}
