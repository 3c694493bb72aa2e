/// What a program comes to that reads a directory and all below it.
extension Place {
    /// In larger trees a secret is not looked for.
    static let mostNamesBelow = 5000

    /// A file; or a directory with no sensitive name below it, however deep, and no link that leads out of it.
    /// - Parameters:
    ///   - left: how many names may still be looked at, for all paths of a command together.
    ///   - passedOver: directories that are not read.
    func checkBelow(_ path: String, left: inout Int, passedOver: Set<String> = []) throws(Refusal) {
        let top = resolve(path).path
        guard ground.disk.kind(of: top) == .directory else { return }
        var directories = [top]
        while let directory = directories.popLast() {
            guard let entries = ground.disk.entries(in: directory, atMost: left) else { throw .tooMuchBelow(path) }
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

    /// No file below that a search for names with such ends would read has a sensitive name, or lies in a directory of one.
    func checkSearched(ends: [[UInt8]], passedOver: Set<String>) throws(Refusal) {
        let top = resolved.path
        var left = Self.mostNamesStaged
        var directories = [(path: top, isSensitive: false)]
        while let directory = directories.popLast() {
            guard let entries = ground.disk.entries(in: directory.path, atMost: left) else { throw .tooMuchBelow(top) }
            left -= entries.count
            for entry in entries where !passedOver.contains(entry.name) {
                let name = SensitiveNames.folded(entry.name.utf8)
                let found = PathText.join(directory.path, entry.name)
                let isRead = ends.contains { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
                guard isRead || entry.kind == .directory else { continue }
                let isSensitive = directory.isSensitive || SensitiveNames.isSensitive(component: name)
                if entry.kind == .directory {
                    directories.append((found, isSensitive))
                } else if isSensitive {
                    throw .sensitive(found)
                } else if entry.kind == .link {
                    try checkLink(found, below: top)
                }
            }
        }
    }

    /// Some versions of grep follow links where they meet them.
    private func checkLink(_ link: String, below top: String) throws(Refusal) {
        let target = ground.resolve(link)
        guard target.isCertain, PathText.contains(top, target.path) else { throw .outside(link) }
    }
}
