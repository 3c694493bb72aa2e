import OrderedJSON

/// The file of a call as deny rules see it, which also cover sensitive files.
struct DeniedFile {
    /// The pattern of this file alone; nil where the path is too long to be read.
    let pattern: Pattern?
    /// The file after links and as it was written. Case-folded: a disk may take `SRC` for `src`.
    private let names: [String]
    /// True below `/proc`, where a path may lead anywhere, and elsewhere for each process; and for a path too long to be
    /// read.
    private let isAnywhere: Bool

    /// Nil where the call names no file.
    init?(tool: String, input: JSON, root: SessionRoot) {
        if FileTools.isUnread(tool: tool, input: input) {
            (pattern, names, isAnywhere) = (nil, [], true)
            return
        }
        guard let path = FileTools.deniedPath(tool: tool, input: input, context: root.context) else { return nil }
        let resolved = root.resolve(path).path
        pattern = Pattern(.file, tool: tool, subject: resolved)
        names = [path, resolved].map(Self.folded)
        isAnywhere = resolved.utf8.starts(with: "/proc/".utf8) && resolved.utf8.dropFirst(6).contains(UInt8(ascii: "/"))
    }

    private static func folded(_ path: String) -> String {
        String(decoding: SensitiveNames.folded(path.utf8), as: UTF8.self)
    }

    /// - Parameter pattern: a pattern that concerns the tool.
    func isForbidden(by pattern: Pattern) -> Bool {
        let subject = Self.folded(pattern.subject)
        return switch pattern.kind {
        case .tree: isAnywhere || names.contains { PathText.contains(subject, $0) }
        case .file: isAnywhere || names.contains { PathText.same(subject, $0) }
        default: false
        }
    }
}
