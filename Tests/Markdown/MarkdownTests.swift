import Markdown
import Testing

@Suite struct MarkdownTests {
    static let texts: [(String, String)] = [
        ("", ""),
        (
            "# One\n\ntwo *three* **four** `five`",
            "heading1[text(One)] paragraph[text(two ) emph[text(three)] text( ) strong[text(four)] text( ) code(five)]"
        ),
        ("1. a\n2. b", "list1[item[paragraph[text(a)]] item[paragraph[text(b)]]]"),
        ("7) a", "list7[item[paragraph[text(a)]]]"),
        ("- a\n  - b", "list[item[paragraph[text(a)] list[item[paragraph[text(b)]]]]]"),
        ("```swift\nlet a = 1\n```", "code_block<swift>(let a = 1\n)"), ("    x", "code_block(x\n)"),
        ("> a\n> b", "block_quote[paragraph[text(a) softbreak text(b)]]"),
        ("a  \nb", "paragraph[text(a) linebreak text(b)]"),
        ("---", "thematic_break"),
        ("[a](https://x \"title\")", "paragraph[link{https://x}[text(a)]]"),
        ("<https://x>", "paragraph[link{https://x}[text(https://x)]]"),
        ("[a](javascript:alert(1))", "paragraph[link{javascript:alert(1)}[text(a)]]"),
        ("a & b &amp; c &lt; \\* d", "paragraph[text(a & b & c < * d)]"),
        // HTML and pictures become text.
        ("<script>alert(1)</script>", "paragraph[text(<script>alert(1)</script>)]"),
        ("a <b onclick=x>c</b>", "paragraph[text(a <b onclick=x>c</b>)]"),
        ("<!-- hidden -->\n\na", "paragraph[text(<!-- hidden -->)] paragraph[text(a)]"),
        ("![a *b*](https://x/y.png)", "paragraph[text(a b (https://x/y.png))]"),
        ("![](https://x)", "paragraph[text(https://x)]"),
        ("[![a](https://x)](https://y)", "paragraph[link{https://y}[text(a (https://x))]]"),
        ("a\u{0}b", "paragraph[text(a\u{FFFD}b)]"), ("e\u{301} 👩🏽‍💻 \u{202E}x", "paragraph[text(e\u{301} 👩🏽‍💻 \u{202E}x)]"),
        ("a\r\nb\r\n\r\nc", "paragraph[text(a) softbreak text(b)] paragraph[text(c)]"),
    ]

    @Test(arguments: texts)
    func isTakenApart(_ text: String, _ expected: String) throws {
        #expect(try MarkdownParser.parse(text).children.map(Self.outline).joined(separator: " ") == expected)
    }

    private static func outline(_ node: MarkdownNode) -> String {
        let number = node.level > 0 ? "\(node.level)" : node.start.map { "\($0)" } ?? ""
        let info = node.info.isEmpty ? "" : "<\(node.info)>"
        let url = node.url.isEmpty ? "" : "{\(node.url)}"
        let text = node.text.isEmpty ? "" : "(\(node.text))"
        let children = node.children.isEmpty ? "" : "[\(node.children.map(outline).joined(separator: " "))]"
        return node.kind.rawValue + number + info + url + text + children
    }

    @Test func hasCeilings() throws {
        let longest = String(repeating: "a", count: MarkdownParser.longest)
        #expect(try MarkdownParser.parse(longest).children.count == 1)
        #expect(throws: MarkdownRefusal.long) { try MarkdownParser.parse(longest + "a") }
        #expect(throws: MarkdownRefusal.manyParts) {
            try MarkdownParser.parse(String(repeating: "a\n\n", count: 20_000))
        }
    }

    static let deep: [(String, String, String)] = [
        (">", "", "x"), ("- ", "", "x"), ("*", "*", "x"), ("[", "](u)", "x"), ("![", "](u)", "x"), ("**_", "_**", "x"),
        ("<b>", "</b>", "x"), ("`", "`", "x"), ("1. ", "", "x"), ("*a **a ", "", ""), ("[a](", "", ""), ("\\", "", ""),
        ("&", ";", "amp"), ("<!--", "", ""), ("<?", "", ""), ("a**b", "", ""), ("\t", "", "x"), ("_a __a ", "", ""),
        ("[a]: u\n", "", "[a]"), ("> - ", "", "x"), ("\n", "", ""), ("~~~\n", "", ""), ("#", "", " x"), ("|", "", ""),
        ("![[]()", "", ""), ("[x", "]", ""), ("* * * ", "", ""), ("\u{FEFF}", "", ""), ("[a][", "]", ""),
    ]

    /// Texts that make simple parsers slow or overflow their stack. The tree is at most two nodes deeper than
    /// `deepest`. Each takes well below a second, some ten under the address sanitizer on a busy machine; a parser that is
    /// not linear takes more than the limit.
    @Test(.timeLimit(.minutes(5)), arguments: deep.indices)
    func nothingMakesItSlow(index: Int) throws {
        let (open, close, inner) = Self.deep[index]
        let count = (MarkdownParser.longest - 64) / (open + close).utf8.count
        let text = String(repeating: open, count: count) + inner + String(repeating: close, count: count)
        guard let document = try? MarkdownParser.parse(text) else { return }
        #expect(Self.depth(document) <= MarkdownParser.deepest + 2, "\(open)")
    }

    private static func depth(_ node: MarkdownNode) -> Int {
        1 + (node.children.map(depth).max() ?? 0)
    }

    /// Pieces of Markdown in any order: whatever the tree, every word of the text is still in it.
    @Test(arguments: 0..<300)
    func oddTexts(seed: UInt64) throws {
        var random = Pseudorandom(seed: seed)
        let pieces = [
            "*", "_", "`", "[", "]", "(", ")", "!", "<", ">", "#", "-", "+", "1.", "\n", "\n\n", "    ", "\t", "\\",
            "&", ";",
            "<b>", "</b>", "<!--", "-->", "```", "~~~", "http://x", "|", "\u{0}", "\u{202E}", "é", "👩🏽‍💻", "  \n", "> ",
            "- ",
        ]
        var text = ""
        for number in 0..<Int.random(in: 1..<200, using: &random) {
            text += Bool.random(using: &random) ? pieces.randomElement(using: &random)! : "w\(number)q"
        }
        let document = try MarkdownParser.parse(text)
        let shown = Self.words(document)
        #expect(Self.depth(document) <= MarkdownParser.deepest + 2)
        for word in text.matches(of: /w\d+q/) where !shown.contains(word.0) {
            // A link's title and the label of a link definition are not shown; nothing else may get lost.
            #expect(text.contains("]:") || text.contains("]["), "\(word.0) is gone from \(text.debugDescription)")
        }
    }

    private static func words(_ node: MarkdownNode) -> String {
        node.text + node.url + node.info + node.children.map(words).joined()
    }
}

/// A generator that gives the same numbers for the same seed.
private struct Pseudorandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let word = (state >> 22) ^ state
        return word &* 0x2545_F491_4F6C_DD1D
    }
}
