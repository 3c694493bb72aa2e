/// The calls that a session rule covers, as the rule is stored and as an approver sees it before granting it.
package struct Pattern: Sendable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Bash commands with one key.
        case command
        /// Exactly one Bash line in one directory.
        case line
        /// Every file below a directory.
        case tree
        /// One file.
        case file
        /// One host.
        case domain
        /// A whole tool.
        case tool
    }

    package let kind: Kind
    /// Claude Code's name of the tool.
    package let tool: String
    /// The key's words, the line, the absolute path or the host; empty for a whole tool.
    package let subject: String
    /// The only directory where the pattern holds: set for a line, and for keys that are local to a directory.
    package let directory: String?

    init(_ kind: Kind, tool: String, subject: String = "", directory: String? = nil) {
        self.kind = kind
        self.tool = tool
        self.subject = subject
        self.directory = directory
    }

    /// The form of Claude Code's own rules: `Bash(npm test:*)`, `Edit(/p/src/**)`, `mcp__s__t`.
    package var text: String {
        switch kind {
        case .command: "\(tool)(\(subject):*)"
        case .line, .file: "\(tool)(\(subject))"
        case .tree: PathText.same(subject, "/") ? "\(tool)(/**)" : "\(tool)(\(subject)/**)"
        case .domain: "\(tool)(domain:\(subject))"
        case .tool: tool
        }
    }
}

extension Pattern {
    /// True if a deny rule of this pattern may cover a call of the tool. What is denied to one tool that runs lines for the
    /// shell is denied to each, and so is what is denied to one that writes files: Claude Code's own rules for `Edit` apply
    /// to all of its tools that edit files. What must not be read must not be searched.
    package func concerns(tool name: String) -> Bool {
        ToolNames.areOne(tool, name) || PathText.same(tool, "Bash") && RuleEngine.shells.contains(name)
            || FileTools.writing.contains(tool) && FileTools.writing.contains(name)
            || PathText.same(tool, "Read") && (name == "Glob" || name == "Grep")
    }
}

extension Pattern: Hashable {
    /// Compares byte for byte.
    package static func == (left: Pattern, right: Pattern) -> Bool {
        guard left.kind == right.kind, PathText.same(left.subject, right.subject),
            PathText.same(left.tool, right.tool)
        else { return false }
        guard let directory = left.directory, let other = right.directory else {
            return left.directory == nil && right.directory == nil
        }
        return PathText.same(directory, other)
    }

    package func hash(into hasher: inout Hasher) {
        // The subject suffices: few rules share one.
        subject.hashBytes(into: &hasher)
    }
}

// MARK: - Stored form

extension Pattern {
    /// `text`, followed by the directory where the pattern holds: ` in DIR` for a line, ` only in DIR` for a key. Each
    /// pattern has exactly one stored form.
    package var stored: String {
        switch (kind, directory) {
        case (.line, let directory?): "\(text) in \(Self.escape(directory))"
        case (_, let directory?): "\(text) only in \(Self.escape(directory))"
        default: text
        }
    }

    /// Parses the stored form; nil for text that `stored` does not produce.
    package init?(stored: String) {
        guard let close = stored.utf8.lastIndex(of: UInt8(ascii: ")")) else {
            guard ToolNames.isWholeTool(stored) else { return nil }
            self.init(.tool, tool: stored)
            return
        }
        guard let open = stored.utf8.firstIndex(of: UInt8(ascii: "(")), open < close else { return nil }
        let tool = String(stored[..<open])
        let subject = String(stored[stored.utf8.index(after: open)..<close])
        let rest = stored[stored.utf8.index(after: close)...]
        if rest.isEmpty {
            guard let pattern = Self.anywhere(tool: tool, subject) else { return nil }
            self = pattern
        } else if let directory = Self.directory(rest, after: " in "), tool == "Bash" {
            self.init(.line, tool: tool, subject: subject, directory: directory)
        } else if let directory = Self.directory(rest, after: " only in "), tool == "Bash",
            let key = Self.cut(subject, suffix: ":*")
        {
            self.init(.command, tool: tool, subject: key, directory: directory)
        } else {
            return nil
        }
    }

    private static func anywhere(tool: String, _ subject: String) -> Pattern? {
        switch tool {
        case "Bash": return cut(subject, suffix: ":*").map { Pattern(.command, tool: tool, subject: $0) }
        case "WebFetch":
            guard subject.utf8.starts(with: "domain:".utf8) else { return nil }
            return Pattern(.domain, tool: tool, subject: String(subject.dropFirst(7)))
        default:
            guard FileTools.all.contains(tool), PathText.isAbsolute(subject) else { return nil }
            if PathText.same(subject, "/**") { return Pattern(.tree, tool: tool, subject: "/") }
            return cut(subject, suffix: "/**").map { Pattern(.tree, tool: tool, subject: $0) }
                ?? Pattern(.file, tool: tool, subject: subject)
        }
    }

    private static func cut(_ text: String, suffix: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count > suffix.utf8.count, bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else {
            return nil
        }
        return String(decoding: bytes.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    private static func directory(_ rest: Substring, after word: String) -> String? {
        guard rest.utf8.starts(with: word.utf8) else { return nil }
        return unescape(rest.utf8.dropFirst(word.utf8.count))
    }

    /// Escapes every `)`, so that the last `)` of a stored form ends the pattern's text.
    private static func escape(_ directory: String) -> String {
        var bytes: [UInt8] = []
        for byte in directory.utf8 {
            switch byte {
            case UInt8(ascii: "%"): bytes += Array("%25".utf8)
            case UInt8(ascii: ")"): bytes += Array("%29".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescape(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            switch String(decoding: rest.prefix(2), as: UTF8.self) {
            case "25": bytes.append(UInt8(ascii: "%"))
            case "29": bytes.append(UInt8(ascii: ")"))
            default: return nil
            }
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
