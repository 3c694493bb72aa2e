import CCMark

/// Takes a Markdown text apart (CommonMark 0.30, as libcmark reads it).
package enum MarkdownParser {
    /// Bytes of a text.
    package static let longest = 256 << 10
    /// Parts within parts; what lies deeper is one piece of text.
    package static let deepest = 32
    package static let mostNodes = 20_000

    /// The document.
    package static func parse(_ text: String) throws(MarkdownRefusal) -> MarkdownNode {
        guard text.utf8.count <= longest else { throw .long }
        var text = text
        let root = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty text may have no address.
                characters.baseAddress.flatMap { cmark_parse_document($0, characters.count, CMARK_OPT_DEFAULT) }
            }
        }
        guard let root else { return MarkdownNode(.document) }
        defer { cmark_node_free(root) }
        var reader = MarkdownReader(room: mostNodes)
        return MarkdownNode(.document, children: try reader.children(of: root, depth: 1))
    }
}
