import OrderedJSON

/// Claude Code's tools that name one file or directory.
enum FileTools {
    static let writing: Set<String> = ["Edit", "MultiEdit", "NotebookEdit", "Write"]
    static let all: Set<String> = writing.union(["Glob", "Grep", "Read"])

    /// The known members of each tool's input. A call with any other member is asked about.
    private static let members: [String: Set<String>] = [
        "Edit": ["file_path", "new_string", "old_string", "replace_all"],
        "Glob": ["path", "pattern"],
        "Grep": [
            "-A", "-B", "-C", "-i", "-n", "-o", "context", "glob", "head_limit", "multiline", "offset", "output_mode",
            "path", "pattern", "type",
        ],
        "MultiEdit": ["edits", "file_path"],
        "NotebookEdit": ["cell_id", "cell_type", "edit_mode", "new_source", "notebook_path"],
        "Read": ["file_path", "limit", "offset", "pages"],
        "Write": ["content", "file_path"],
    ]

    /// True if a path in the input is longer than the kernel accepts.
    static func isTooLong(_ input: JSON) -> Bool {
        ["file_path", "notebook_path", "path"].contains {
            (input[$0]?.stringValue?.utf8.count ?? 0) >= DiskLookups.longestPath
        }
    }

    /// The path that a call names, made absolute and without `.` and `..`; nil where the call is not understood.
    static func path(tool: String, input: JSON, context: RuleContext) -> String? {
        guard let object = input.objectValue, let known = members[tool], object.keys.allSatisfy(known.contains) else {
            return nil
        }
        let member = member(of: tool)
        guard let value = object[member] else { return member == "path" ? context.cwd : nil }
        guard let path = value.stringValue, path.utf8.count < DiskLookups.longestPath, isPlain(path),
            context.cwd.utf8.count < DiskLookups.longestPath, PathText.isAbsolute(context.cwd)
        else { return nil }
        return PathText.normalize(path, from: context.cwd)
    }

    private static func member(of tool: String) -> String {
        tool == "NotebookEdit" ? "notebook_path" : tool == "Glob" || tool == "Grep" ? "path" : "file_path"
    }

    /// The path for deny rules, which also forbid a call that no allow rule understands: with unknown members, with white
    /// space around the path, which Claude Code trims, or with a `~`, which it expands.
    static func deniedPath(tool: String, input: JSON, context: RuleContext) -> String? {
        let member = member(of: tool)
        guard let value = input[member] else { return member == "path" ? context.cwd : nil }
        guard let text = value.stringValue, text.utf8.count <= longestWritten else { return nil }
        let path = trimmed(text)
        let isOfHome = path == "~" || path.utf8.starts(with: "~/".utf8)
        // Claude Code takes out `..` before it opens a file: a path may be too long for the kernel until then.
        let normal = PathText.normalize(
            isOfHome ? "." + path.dropFirst() : path, from: isOfHome ? context.home : context.cwd)
        return normal.utf8.count < DiskLookups.longestPath ? normal : nil
    }

    /// True if the path is longer than is read for deny rules: it may lead anywhere.
    static func isUnread(tool: String, input: JSON) -> Bool {
        (input[member(of: tool)]?.stringValue?.utf8.count ?? 0) > longestWritten
    }

    /// The most bytes of a path as it is written. What Claude Code takes out of it may be longer than what is left.
    private static let longestWritten = 64 << 10

    /// Without what JavaScript's `trim` takes off, and control characters.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: isOfPath), let last = scalars.lastIndex(where: isOfPath) else {
            return ""
        }
        return String(scalars[first...last])
    }

    private static func isOfPath(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && !scalar.properties.isWhitespace && scalar.value != 0xFEFF
    }

    /// True if a path has no `~` to expand, no white space to trim, no line break and no hidden character.
    private static func isPlain(_ path: String) -> Bool {
        guard let first = path.utf8.first, let last = path.utf8.last else { return false }
        return first != UInt8(ascii: "~") && first > 0x20 && last > 0x20
            && !path.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
            && ShellCharacters.firstHidden(in: path) == nil
    }
}
