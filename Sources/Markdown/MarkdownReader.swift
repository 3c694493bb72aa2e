import CCMark

/// Converts libcmark's tree into `MarkdownNode`s.
struct MarkdownReader {
    /// The number of nodes that may still be made.
    var room: Int

    mutating func children(of parent: OpaquePointer, depth: Int) throws(MarkdownRefusal) -> [MarkdownNode] {
        var nodes: [MarkdownNode] = []
        var next = cmark_node_first_child(parent)
        while let child = next {
            for node in try read(child, depth: depth) {
                // libcmark splits a text at every character that might have been markup.
                if node.kind == .text, nodes.last?.kind == .text {
                    nodes[nodes.count - 1].text += node.text
                } else {
                    room -= 1
                    guard room >= 0 else { throw .manyParts }
                    nodes.append(node)
                }
            }
            next = cmark_node_next(child)
        }
        return nodes
    }

    private mutating func read(_ node: OpaquePointer, depth: Int) throws(MarkdownRefusal) -> [MarkdownNode] {
        let type = cmark_node_get_type(node)
        switch type {
        case CMARK_NODE_TEXT, CMARK_NODE_HTML_INLINE: return [MarkdownNode(.text, text: Self.literal(node))]
        case CMARK_NODE_HTML_BLOCK:
            let text = Self.literal(node)
            let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
            return [MarkdownNode(.paragraph, children: [MarkdownNode(.text, text: line)])]
        case CMARK_NODE_CODE: return [MarkdownNode(.code, text: Self.literal(node))]
        case CMARK_NODE_CODE_BLOCK:
            var block = MarkdownNode(.codeBlock, text: Self.literal(node))
            block.info = Self.string(cmark_node_get_fence_info(node))
            return [block]
        case CMARK_NODE_SOFTBREAK: return [MarkdownNode(.softBreak)]
        case CMARK_NODE_LINEBREAK: return [MarkdownNode(.lineBreak)]
        case CMARK_NODE_THEMATIC_BREAK: return [MarkdownNode(.thematicBreak)]
        case CMARK_NODE_IMAGE: return [MarkdownNode(.text, text: Self.picture(node))]
        default: break
        }
        guard let kind = Self.containers[type.rawValue] else { return [] }
        guard depth < MarkdownParser.deepest else { return [Self.flattened(node)] }
        var container = MarkdownNode(kind, children: try children(of: node, depth: depth + 1))
        switch kind {
        case .heading: container.level = Int(cmark_node_get_heading_level(node))
        case .link: container.url = Self.string(cmark_node_get_url(node))
        case .list where cmark_node_get_list_type(node) == CMARK_ORDERED_LIST:
            container.start = Int(cmark_node_get_list_start(node))
        default: break
        }
        return [container]
    }

    private static let containers: [UInt32: MarkdownNode.Kind] = [
        CMARK_NODE_BLOCK_QUOTE.rawValue: .blockQuote, CMARK_NODE_EMPH.rawValue: .emphasis,
        CMARK_NODE_HEADING.rawValue: .heading, CMARK_NODE_ITEM.rawValue: .item, CMARK_NODE_LINK.rawValue: .link,
        CMARK_NODE_LIST.rawValue: .list, CMARK_NODE_PARAGRAPH.rawValue: .paragraph,
        CMARK_NODE_STRONG.rawValue: .strong,
    ]

    /// The description of a picture or link, with its address in parentheses.
    private static func picture(_ node: OpaquePointer) -> String {
        let words = plain(node)
        let url = string(cmark_node_get_url(node))
        return words.isEmpty ? url : "\(words) (\(url))"
    }

    /// The node's text in one text node. A block becomes a paragraph, so that its text does not join that of its
    /// neighbours.
    private static func flattened(_ node: OpaquePointer) -> MarkdownNode {
        let isLink = cmark_node_get_type(node) == CMARK_NODE_LINK
        let text = MarkdownNode(.text, text: isLink ? picture(node) : plain(node))
        let isBlock = cmark_node_get_type(node).rawValue <= CMARK_NODE_LAST_BLOCK.rawValue
        return isBlock ? MarkdownNode(.paragraph, children: [text]) : text
    }

    /// All text below a node, at any depth: libcmark's iterator does not recurse.
    private static func plain(_ node: OpaquePointer) -> String {
        guard let iterator = cmark_iter_new(node) else { return "" }
        defer { cmark_iter_free(iterator) }
        var text = ""
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return text }
            guard let current = cmark_iter_get_node(iterator) else { continue }
            switch cmark_node_get_type(current) {
            case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: text += "\n"
            case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: if event == CMARK_EVENT_EXIT { text += "\n" }
            case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
                if event == CMARK_EVENT_EXIT, current != node { text += " (\(string(cmark_node_get_url(current))))" }
            default: if event == CMARK_EVENT_ENTER { text += literal(current) }
            }
        }
    }

    private static func literal(_ node: OpaquePointer) -> String {
        string(cmark_node_get_literal(node))
    }

    private static func string(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}
