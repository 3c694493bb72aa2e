import OrderedJSON

/// A part of a list, by `limit` and `cursor`.
struct ListPage: Sendable {
    let rows: [JSON]
    /// The cursor of the next part; `nil` behind the last one.
    let next: String?

    private static let most = 1000

    /// - Parameter rows: In an order that stays, each with a different `id`.
    init(_ rows: [JSON], _ query: (String) -> String?) throws(OpenAIFailure) {
        let limit: Int
        if let text = query("limit") {
            guard let number = Int(text), (1...Self.most).contains(number) else {
                throw .invalid("\"limit\" must be a number from 1 to \(Self.most)", param: "limit")
            }
            limit = number
        } else {
            limit = Self.most
        }
        var rest = rows[...]
        if let cursor = query("cursor"), !cursor.isEmpty {
            guard let index = rows.firstIndex(where: { $0["id"]?.stringValue == cursor }) else {
                throw .invalid("nothing in the list has this \"cursor\" any more; begin again", param: "cursor")
            }
            rest = rows[(index + 1)...]
        }
        self.rows = Array(rest.prefix(limit))
        next = rest.count > limit ? self.rows.last?["id"]?.stringValue : nil
    }

    func json(_ name: String) -> JSON {
        .object(JSONObject([("object", "list"), (name, .array(rows)), ("next_cursor", .text(next))]))
    }
}
