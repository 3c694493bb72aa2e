import OrderedJSON

/// Matches a call of a tool that names one file or directory against session rules.
struct FileRules {
    let tool: String
    let root: SessionRoot
    /// The file or directory that the tool would use, after links.
    private let resolved: ResolvedPath
    private let isDirectory: Bool

    /// Nil where the call is not understood or no rule may cover it.
    init?(tool: String, input: JSON, root: SessionRoot) {
        guard let path = FileTools.path(tool: tool, input: input, context: root.context),
            PathText.components(path).count <= WrittenNames.mostComponents
        else { return nil }
        self.tool = tool
        self.root = root
        resolved = root.resolve(path)
        guard resolved.isCertain, root.resolved.isCertain else { return nil }
        isDirectory = tool == "Glob" || tool == "Grep" ? root.disk.kind(of: resolved.path) == .directory : false
        guard !isNeverCovered(root.writtenBelowRoot(path)), !isNeverCovered(belowRoot(resolved.path)) else {
            return nil
        }
        if root.isKeptApart(resolved.path) { return nil }
        if tool == "Glob", !isFrontInside(input) { return nil }
        guard SearchGlobs.arePlain(tool: tool, input: input), !isDirectory || isInside, !readsSecrets(input),
            !root.disk.isSpent
        else { return nil }
    }

    /// True if Grep would read a sensitive file. Grep reads hidden files too: everything below the directory except
    /// version control, or the files that its glob names.
    private func readsSecrets(_ input: JSON) -> Bool {
        guard tool == "Grep", isDirectory else { return false }
        let place = Place(resolved.path, on: root, resolved: resolved)
        do throws(Refusal) {
            if let glob = input["glob"] {
                var search = Search.ofTool(ends: SearchGlobs.ends(of: glob.stringValue ?? ""))
                try place.look(search: &search, below: ".")
                return !search.found.isEmpty
            } else {
                var left = Place.mostNamesBelow
                try place.checkBelow(".", left: &left, passedOver: Search.repositories)
            }
            return false
        } catch {
            return true
        }
    }

    /// True if Glob searches on the same side of the root as its `path`, in a directory without a sensitive name. The
    /// search starts at the components of the pattern before the first with a wildcard.
    private func isFrontInside(_ input: JSON) -> Bool {
        let front = SearchGlobs.front(of: input["pattern"]?.stringValue ?? "")
        guard !front.isEmpty else { return true }
        let found = root.disk.resolve(front, from: resolved.path)
        return root.contains(found) == isInside && found.isCertain && !isNeverCovered(belowRoot(found.path))
    }

    private func belowRoot(_ path: String) -> Substring.UTF8View {
        PathText.remainder(of: path, below: root.resolved.path) ?? Substring(path).utf8
    }

    private func isNeverCovered(_ path: Substring.UTF8View) -> Bool {
        if SensitiveNames.isSensitive(path: path) { return true }
        guard FileTools.writing.contains(tool) else { return false }
        return root.runsByItself(path) || !WrittenNames.isOfPlainBytes(path: path)
            || WrittenNames.playsOption(path: path, isThere: isThere) || replacesOne(path)
            || WrittenNames.standsForOne(path: path, isThere: isThere)
            || !RepositoryNames.mayWrite(path: path, isThere: isThere) || root.usesByItself(path)
    }

    /// True if the path names a new file from which a build would make another file that exists already, or that make would read.
    /// An existing source is excluded: the project wants what is built from it.
    private func replacesOne(_ path: Substring.UTF8View) -> Bool {
        guard let name = PathText.components(path).last else { return false }
        let front = Substring(path).dropLast(Substring(name).count)
        return BuiltNames.replacesOne(name) { made in
            if kind(of: front + made) == .file { return true }
            return !made.utf8.contains(UInt8(ascii: "."))
                && root.includedByMake?.contains(SensitiveNames.folded(made.utf8)) ?? true
        } && !isThere(String(Substring(path)))
    }

    /// - Parameter name: an absolute path, or a path relative to the root.
    private func kind(of name: String) -> PathKind {
        root.disk.kind(of: PathText.isAbsolute(name) ? name : PathText.join(root.resolved.path, name))
    }

    private func isThere(_ name: String) -> Bool { kind(of: name) != .missing }

    private var isInside: Bool { root.hasWiderRules && root.contains(resolved) }

    /// The pattern that "for session" would store; nil if what is elsewhere in the project protects the file.
    var offered: Pattern? { covering.first.flatMap { isProtectedFromAfar ? nil : $0 } }

    /// The rule of `allow` that settles the call.
    func settled(by allow: Set<Pattern>) -> Pattern? {
        covering.first(where: allow.contains).flatMap { isProtectedFromAfar ? nil : $0 }
    }

    /// True if a link with a protected name leads to the file, or what has to be searched for starts it. Asked last, since it
    /// searches directories. Glob shows names only.
    private var isProtectedFromAfar: Bool {
        guard tool != "Glob" else { return false }
        let links = ProtectedLinks(
            to: resolved.path, isDirectory: isDirectory, on: root, isProtected: isNeverCovered)
        if FileTools.writing.contains(tool), root.usesFromAfar(resolved.path) || links.areStarted(root.usesFromAfar) {
            return true
        }
        return links.exist
    }

    /// All patterns that cover the call: the file's directory first, then the directories above up to the root, then
    /// the file itself.
    private var covering: [Pattern] {
        let exact = Pattern(.file, tool: tool, subject: resolved.path)
        guard isInside, !FileTools.writing.contains(tool) || WrittenNames.areKnown(belowRoot(resolved.path)) else {
            return [exact]
        }
        var directories: [String] = []
        var directory = isDirectory ? resolved.path : PathText.directory(of: resolved.path)
        while PathText.contains(root.resolved.path, directory) {
            directories.append(directory)
            if PathText.same(directory, "/") { break }
            directory = PathText.directory(of: directory)
        }
        return directories.map { Pattern(.tree, tool: tool, subject: $0) } + [exact]
    }
}
