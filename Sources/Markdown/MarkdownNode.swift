/// A part of a Markdown text, named as CommonMark names it. There is no node for HTML, which is text here, and none for
/// a picture, which is its words and its address: what is made of the tree loads and runs nothing.
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
    /// Of `text`, `code` and `codeBlock`; else empty.
    package var text = ""
    /// Of a link, as it was written.
    package var url = ""
    /// Of a code block: what stands behind the fence.
    package var info = ""
    /// Of a heading: 1 to 6.
    package var level = 0
    /// Of a list that is numbered: its first number.
    package var start: Int?
    package var children: [MarkdownNode] = []

    package init(_ kind: Kind, text: String = "", children: [MarkdownNode] = []) {
        self.kind = kind
        self.text = text
        self.children = children
    }
}

/// Why a text is not taken apart.
package enum MarkdownRefusal: Error, Sendable, Hashable {
    /// It is longer than `MarkdownParser.longest`.
    case long
    /// It has more parts than `MarkdownParser.mostNodes`.
    case manyParts
}
