/// A node of a parsed Markdown text, named as in CommonMark. HTML becomes text, and a picture becomes its description
/// and address, so that showing the tree loads and runs nothing.
package struct MarkdownNode: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case blockQuote = "block_quote"
        case code
        case codeBlock = "code_block"
        case document
        case emphasis = "emph"
        case heading
        case item
        case lineBreak = "linebreak"
        case link
        case list
        case paragraph
        case softBreak = "softbreak"
        case strong
        case text
        case thematicBreak = "thematic_break"
    }

    package let kind: Kind
    /// The content of `text`, `code` and `codeBlock`; else empty.
    package var text = ""
    /// The address of a link, as it was written; else empty.
    package var url = ""
    /// The info string of a fenced code block; else empty.
    package var info = ""
    /// The level of a heading, 1 to 6; else 0.
    package var level = 0
    /// The first number of an ordered list; else nil.
    package var start: Int?
    package var children: [MarkdownNode] = []

    package init(_ kind: Kind, text: String = "", children: [MarkdownNode] = []) {
        self.kind = kind
        self.text = text
        self.children = children
    }
}

/// The reason why a text is not parsed.
package enum MarkdownRefusal: Error, Sendable, Hashable {
    /// The text is longer than `MarkdownParser.longest`.
    case long
    /// The text has more nodes than `MarkdownParser.mostNodes`.
    case manyParts
}
