package import OrderedJSON

/// Reports requests and their resolutions as lines, for a pipe or a terminal that can only print. Each line begins with a
/// time as people read it.
package struct LineReport: Sendable {
    private let charset: Charset
    private let visible: VisibleText

    /// The width of a page in which nothing is wrapped.
    private static let width = 1 << 30

    package init(charset: Charset) {
        self.charset = charset
        visible = VisibleText(charset: charset)
    }

    /// A card: one line, and indented below it the whole input.
    /// - Parameters:
    ///   - id: The card's id, as far as people need it.
    ///   - left: The time left to answer; empty if the card has no deadline.
    package func arrived(_ card: Card, id: String, left: String, time: String) -> String {
        let tool = visible.plain(card.tool.name)
        var text = "\(time)  \(visible.plain(id))  asks: \(tool)\(left.isEmpty ? "" : ", \(left)")\n"
        let writer = CardWriter(Entry(card), project: Card.name(of: card.cwd), width: Self.width, charset: charset)
        for row in writer.document().rows where !row.text.isEmpty { text += "    \(row.text)\n" }
        return text
    }

    /// - Parameter params: The parameters of `event/pty_permission_resolved`.
    package func ended(_ params: JSON, id: String, time: String) -> String {
        let what = visible.plain(WatchModel.ending(params))
        let about = visible.plain(params.text("tool_name")) + " " + visible.plain(params.text("target"))
        let verb = params["corrects"]?.boolValue == true ? "corrected" : "ended"
        return "\(time)  \(visible.plain(id))  \(verb): \(what): \(about)\n"
    }

    package func note(_ text: String, time: String) -> String {
        "\(time)  \(visible.plain(text))\n"
    }
}
