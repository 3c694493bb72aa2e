/// Whether the session's directory is itself one whose files no rule covers, or lies in one: `~/.ssh`, `proj/.vscode`.
extension SessionRoot {
    /// As written and resolved: either name may be the protected one.
    func findProtected() -> Bool {
        guard !isProtected(resolved.path) else { return true }
        return !PathText.same(resolved.path, context.root) && isProtected(context.root)
    }

    private func isProtected(_ path: String) -> Bool {
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        // Most names count in no place, so that no disk need be asked.
        let mayCount = { SensitiveNames.hidden.contains($0) || SensitiveNames.protects($0, isBelowTop: true) }
        guard parts.contains(where: mayCount) else { return false }
        let top = repository.flatMap { PathText.contains($0, path) ? PathText.components($0).count : nil } ?? 0
        return parts.indices.contains { index in
            let depth = index + 1
            // An agent keeps work trees of other projects in a directory of its own: `.claude/worktrees/NAME`.
            let isOfWorkTrees =
                top > depth + 1 && parts[depth].elementsEqual("worktrees".utf8) && !parts[index].elementsEqual(Self.git)
            if SensitiveNames.hidden.contains(parts[index]) { return !isOfWorkTrees }
            // Above a checkout other names are its owner's choice, as is the checkout's own unless it is hidden.
            let isHidden = parts[index].first == UInt8(ascii: ".")
            guard depth > top || depth == top && isHidden else { return false }
            return SensitiveNames.protects(parts[index], isBelowTop: depth > top)
        }
    }

    private static let git = Array(".git".utf8)

    /// True if a tool, a shell or an editor runs or loads the file without being told, by its name below the repository's
    /// top.
    /// - Parameter path: relative to the root if the file lies below it.
    func runsByItself(_ path: Substring.UTF8View) -> Bool {
        if SensitiveNames.runsByItself(path: path) { return true }
        guard !front.isEmpty, path.first != UInt8(ascii: "/") else { return false }
        return SensitiveNames.runsByItself(path: (front + String(Substring(path)))[...].utf8)
    }

    /// The components of the root below the repository's top, with a `/`: some names count only in a directory of a certain
    /// name. Outside of repositories the last one counts, unless whole trees would run by its name.
    func findFront() -> String {
        if let repository {
            let below = belowTop(resolved.path)
            return below.isEmpty || PathText.same(repository, "/") ? "" : below + "/"
        }
        guard let name = PathText.components(resolved.path).last else { return "" }
        return SensitiveNames.isBuildDirectory(SensitiveNames.folded(name)) ? "" : String(Substring(name)) + "/"
    }

    /// The path relative to the repository's top, or without one to the root, if it lies below it.
    func belowTop(_ path: String) -> String {
        PathText.remainder(of: path, below: repository ?? resolved.path).map { String(Substring($0)) } ?? path
    }
}

extension SensitiveNames {
    /// True for a directory in which everything is a secret, or is run by some program. `.config` holds the settings of
    /// many, and projects that begin there are as ordinary as others.
    /// - Parameter isBelowTop: false for a checkout's own directory; some organisations keep texts in one named `.github`.
    static func protects(_ folded: [UInt8], isBelowTop: Bool) -> Bool {
        if folded.elementsEqual(".config".utf8) { return false }
        if runDirectories.contains(folded) { return true }
        return isBelowTop && [".github", "credentials", "secrets"].contains { folded.elementsEqual($0.utf8) }
    }

    static func isBuildDirectory(_ folded: [UInt8]) -> Bool { buildDirectories.contains { $0.name == folded } }
}
