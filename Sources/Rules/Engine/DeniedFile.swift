import OrderedJSON

/// The file of a call as deny rules see it, which also cover sensitive files.
struct DeniedFile {
    /// The pattern of this file alone.
    let pattern: Pattern
    /// The file after links and as it was written. Case-folded: a disk may take `SRC` for `src`.
    private let names: [[UInt8]]

    /// Nil where the call names no file.
    init?(tool: String, input: JSON, root: SessionRoot) {
        guard let path = FileTools.deniedPath(tool: tool, input: input, context: root.context) else { return nil }
        let resolved = root.resolve(path).path
        pattern = Pattern(.file, tool: tool, subject: resolved)
        names = [path, resolved].map(Self.folded)
    }

    private static func folded(_ path: String) -> [UInt8] { SensitiveNames.folded(path.utf8) }

    /// - Parameter pattern: a pattern of the same tool.
    func isForbidden(by pattern: Pattern) -> Bool {
        switch pattern.kind {
        case .tree: names.contains { Self.contains(Self.folded(pattern.subject), $0) }
        case .file: names.contains(Self.folded(pattern.subject))
        default: false
        }
    }

    private static func contains(_ directory: [UInt8], _ path: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        guard path.starts(with: directory) else { return false }
        return path.count == directory.count || directory.last == slash || path[directory.count] == slash
    }
}
