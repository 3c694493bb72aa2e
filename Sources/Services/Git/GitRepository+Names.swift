import Core

/// What git knows of files by their names.
extension GitRepository {
    /// Bytes of a list of names; nothing is known where it is longer.
    private static let mostNames = 8 << 20

    /// The names that git tracks and ignores; nil where it does not say.
    /// - Parameters:
    ///   - names: Entries of the directory.
    ///   - directory: A place in the workspace.
    func names(_ names: [String], in directory: WorkspacePath) async -> GitNames? {
        let prefix = directory.isRoot ? "" : directory.text + "/"
        let asked = names.flatMap { (name) -> [UInt8] in Array("./\(prefix)\(name)".utf8) + [0] }
        // 1: none is ignored.
        async let ignored = list(["check-ignore", "-z", "--stdin"], input: asked, [0, 1], after: "./" + prefix)
        // Of the directory itself: what lies below it may be the whole repository.
        let pattern: GitWord = ":(glob)\(Self.escaped(prefix))*"
        guard let tracked = await list(["ls-files", "-z", "--", pattern], [0], after: prefix) else { return nil }
        return GitNames(tracked: tracked.intersection(names), ignored: await ignored ?? [])
    }

    /// The paths in one directory that git writes, each with a NUL, as names.
    private func list(
        _ words: [GitWord], input: [UInt8] = [], _ statuses: Set<Int32>, after prefix: String
    ) async -> Set<String>? {
        // One of the commands takes no path literally; they are given none that could be read otherwise.
        let output = try? await read(
            words, input: input, isLiteral: false, mostOutput: Self.mostNames, statuses: statuses)
        guard let output, !output.isCut else { return nil }
        let length = prefix.utf8.count
        return Set(output.output.split(separator: 0).map { String(decoding: $0.dropFirst(length), as: UTF8.self) })
    }

    /// A text as a pattern that matches it alone.
    private static func escaped(_ text: String) -> String {
        let bytes = text.utf8.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let special = Set("*?[]\\".utf8)
}
