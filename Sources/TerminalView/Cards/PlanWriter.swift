import OrderedJSON

/// Writes a plan from the Markdown tree that the daemon sent. The address of a link is written after its text. A plan is
/// foreign text, so none of its lines begins where the card's own do.
struct PlanWriter {
    static let margin = "  "
    private var indent = margin.count
    /// Begins the next paragraph in place of the indent: the marker of a list item or quotation.
    private var sign = ""

    static func write(_ document: JSON, to page: inout Document) {
        var writer = PlanWriter()
        writer.blocks(document, &page)
    }

    private mutating func blocks(_ node: JSON, _ page: inout Document) {
        for child in node.list("children") { block(child, &page) }
    }

    private mutating func block(_ node: JSON, _ page: inout Document) {
        switch node.text("type") {
        case "block_quote": nested("> ", node, &page)
        case "code_block": page.code(node.text("text").trimmingLastBreak, indent: indent)
        case "heading": paragraph(node, .bold, &page)
        case "list": list(node, &page)
        case "paragraph": paragraph(node, .plain, &page)
        case "thematic_break": page.say(Line([Span("---", .dim)]), indent: indent)
        default: if node["children"] == nil { page.say(start(), node.text("text")) } else { blocks(node, &page) }
        }
    }

    private mutating func list(_ node: JSON, _ page: inout Document) {
        let start = node["start"]?.intValue ?? 1
        let isOrdered = node["ordered"]?.boolValue ?? false
        for (index, item) in node.list("children").enumerated() {
            nested(isOrdered ? "\(start + index). " : "- ", item, &page)
        }
    }

    private mutating func nested(_ sign: String, _ node: JSON, _ page: inout Document) {
        let before = indent
        self.sign = start() + sign
        indent = min(indent + sign.count, 24)
        blocks(node, &page)
        indent = before
        self.sign = ""
    }

    private mutating func paragraph(_ node: JSON, _ style: Style, _ page: inout Document) {
        page.say(start(), Self.text(of: node), style)
    }

    private mutating func start() -> String {
        defer { sign = "" }
        return sign.isEmpty ? String(repeating: " ", count: indent) : sign
    }

    private static func text(of node: JSON) -> String {
        let inner = node.list("children").map(text).joined()
        switch node.text("type") {
        case "code": return "`" + node.text("text") + "`"
        case "linebreak": return "\n"
        case "link": return inner + " <" + node.text("url") + ">"
        case "softbreak": return " "
        default: return inner + node.text("text")
        }
    }
}

extension String {
    fileprivate var trimmingLastBreak: String { last == "\n" ? String(dropLast()) : self }
}
