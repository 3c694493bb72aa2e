/// What a program comes to that reads a directory and all below it.
extension Place {
    /// In larger trees a secret is not looked for.
    static let mostNamesBelow = 5000

    /// A file; or a directory with no sensitive name below it, however deep, and no link that leads out of it.
    /// - Parameters:
    ///   - left: how many names may still be looked at, for all paths of a command together.
    ///   - passedOver: directories that are not read.
    func checkBelow(_ path: String, left: inout Int, passedOver: Set<String> = []) throws(Refusal) {
        try checkIsKnown(path)
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

    /// Some versions of grep follow links where they meet them.
    func checkLink(_ link: String, below top: String) throws(Refusal) {
        let target = ground.resolve(link)
        guard target.isCertain, PathText.contains(top, target.path) else { throw .outside(link) }
    }
}
