package import Core
package import OrderedJSON

/// Reports requests and their resolutions as lines, for a pipe or a terminal that can only print.
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
    package func arrived(_ card: Card, at now: Timestamp) -> String {
        let tool = visible.plain(card.tool.name)
        let until = card.deadline.map { ", until \($0.rfc3339)" } ?? ""
        var text = "\(now.rfc3339)  \(visible.plain(card.requestID))  asks: \(tool)\(until)\n"
        let writer = CardWriter(Entry(card), project: Card.name(of: card.cwd), width: Self.width, charset: charset)
        for row in writer.document().rows where !row.text.isEmpty { text += "    \(row.text)\n" }
        return text
    }

    /// - Parameter params: The parameters of `event/pty_permission_resolved`.
    package func ended(_ params: JSON, at now: Timestamp) -> String {
        let what = visible.plain(WatchModel.ending(params))
        let about = visible.plain(params.text("tool_name")) + " " + visible.plain(params.text("target"))
        let verb = params["corrects"]?.boolValue == true ? "corrected" : "ended"
        return "\(now.rfc3339)  \(visible.plain(params.text("request_id")))  \(verb): \(what): \(about)\n"
    }

    package func note(_ text: String, at now: Timestamp) -> String {
        "\(now.rfc3339)  \(visible.plain(text))\n"
    }
}
