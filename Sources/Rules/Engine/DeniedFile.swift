import OrderedJSON

/// The file of a call as deny rules see it, which also cover sensitive files.
struct DeniedFile {
    /// The pattern of this file alone.
    let pattern: Pattern
    /// The file after links and as it was written, each with all directories above it. Case-folded: a disk may take
    /// `SRC` for `src`.
    private let names: Set<[UInt8]>
    private let directories: Set<[UInt8]>

    /// Nil where the call names no file.
    init?(tool: String, input: JSON, root: SessionRoot) {
        guard let path = FileTools.deniedPath(tool: tool, input: input, context: root.context) else { return nil }
        let resolved = root.resolve(path).path
        pattern = Pattern(.file, tool: tool, subject: resolved)
        names = Set([path, resolved].map(Self.folded))
        directories = Set([path, resolved].flatMap(Self.above).map(Self.folded))
    }

    private static func folded(_ path: String) -> [UInt8] { SensitiveNames.folded(path.utf8) }

    private static func above(_ path: String) -> [String] {
        var directories = ["/"]
        var directory = path
        while PathText.isAbsolute(directory), !PathText.same(directory, "/") {
            directories.append(directory)
            directory = PathText.directory(of: directory)
        }
        return directories
    }

    /// - Parameter pattern: a pattern of the same tool.
    func isForbidden(by pattern: Pattern) -> Bool {
        switch pattern.kind {
        case .tree: directories.contains(Self.folded(pattern.subject))
        case .file: names.contains(Self.folded(pattern.subject))
        default: false
        }
    }
}
