import Text

/// One rule of Claude's own `permissions` lists: `Tool`, `Tool(exact)`, `Tool(prefix:*)`, `Tool(prefix *)`.
struct ClaudeRuleText {
    enum Specifier: Hashable {
        case exact(String)
        case prefix(String)
        /// A form that only Claude interprets: paths, globs, domains.
        case unread
        case wholeTool
    }

    let tool: String
    let specifier: Specifier

    init(_ text: String) {
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else {
            tool = text
            specifier = .wholeTool
            return
        }
        tool = String(text[..<open])
        let inner = String(text[text.index(after: open)...].dropLast())
        specifier = Self.specifier(inner, tool: tool)
    }

    private static func specifier(_ inner: String, tool: String) -> Specifier {
        if inner.isEmpty || inner == "*" { return .wholeTool }
        guard tool == "Bash" else { return .unread }
        for suffix in [":*", " *"] where inner.hasSuffix(suffix) {
            let prefix = String(inner.dropLast(suffix.count))
            return prefix.contains("*") ? .unread : .prefix(prefix)
        }
        return inner.contains("*") ? .unread : .exact(inner)
    }

    /// For an `allow` rule: true only if the rule certainly covers the call. A rule that is not fully understood covers
    /// none.
    func surelyCovers(_ call: RuledCall) -> Bool {
        guard names(call.tool) else { return false }
        switch specifier {
        case .wholeTool: return true
        case .unread: return false
        case .exact(let text): return call.line.map { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .prefix(let prefix):
            guard call.isOneCommand, let line = call.line?.utf8, line.starts(with: prefix.utf8) else { return false }
            let rest = line.dropFirst(prefix.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: " ")
        }
    }

    /// For an `ask` or `deny` rule: false only if the rule certainly does not cover the call. A rule that is not fully
    /// understood may cover any call of its tool.
    func mayCover(_ call: RuledCall) -> Bool {
        guard names(call.tool) else { return false }
        switch specifier {
        case .unread, .wholeTool: return true
        case .exact(let text), .prefix(let text): return call.line?.holds(text) ?? true
        }
    }

    /// `mcp__server` and `mcp__server__*` name every tool of a server.
    private func names(_ name: String) -> Bool {
        if tool == name { return true }
        guard tool.hasPrefix("mcp__") else { return false }
        let server = tool.hasSuffix("__*") ? String(tool.dropLast(3)) : tool
        return name.hasPrefix(server + "__")
    }
}

/// A call as Claude's rules see it. The line is looked through once, however many rules there are.
struct RuledCall {
    let tool: String
    /// The line of a Bash call.
    let line: String?
    /// True if the line has no character with which it could hold more than one command.
    let isOneCommand: Bool

    init(tool: String, line: String?) {
        self.tool = tool
        self.line = line
        isOneCommand = line?.utf8.allSatisfy { !Self.joins.contains($0) } ?? false
    }

    private static let joins = Array(";&|<>$`()\n\\".utf8)
}
