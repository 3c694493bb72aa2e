import CCMark

/// Parses Markdown (CommonMark 0.30) with libcmark.
package enum MarkdownParser {
    /// The longest text in bytes.
    package static let longest = 256 << 10
    /// The deepest nesting of nodes; deeper content becomes one text node.
    package static let deepest = 32
    /// The most nodes of one document.
    package static let mostNodes = 20_000

    /// Parses a text and returns its `document` node.
    package static func parse(_ text: String) throws(MarkdownRefusal) -> MarkdownNode {
        guard text.utf8.count <= longest else { throw .long }
        var text = text
        let root = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // The buffer of an empty text may have no base address.
                characters.baseAddress.flatMap { cmark_parse_document($0, characters.count, CMARK_OPT_DEFAULT) }
            }
        }
        guard let root else { return MarkdownNode(.document) }
        defer { cmark_node_free(root) }
        var reader = MarkdownReader(room: mostNodes)
        return MarkdownNode(.document, children: try reader.children(of: root, depth: 1))
    }
}
