import OrderedJSON

/// The words of the document of all routes about one of them.
package struct RouteDescription: Sendable {
    /// One kind of answer.
    struct Reply: Sendable {
        let status: Int
        let summary: String
        let type: String
        let schema: Schema?
    }

    let summary: String
    /// Parameters of the query.
    let query: [FieldDescription]
    let body: Schema?
    let replies: [Reply]
}

extension Route {
    /// The same route with what the document says of it. A route without stays out of the document.
    func described(
        _ summary: String, query: [FieldDescription] = [], body: @autoclosure @escaping @Sendable () -> Schema? = nil,
        replies: @autoclosure @escaping @Sendable () -> [RouteDescription.Reply]
    ) -> Route {
        var route = self
        route.makeDescription = {
            RouteDescription(summary: summary, query: query, body: body(), replies: replies())
        }
        return route
    }

    /// A route that answers 200 with JSON.
    func described(
        _ summary: String, query: [FieldDescription] = [], body: @autoclosure @escaping @Sendable () -> Schema? = nil,
        result: @autoclosure @escaping @Sendable () -> Schema
    ) -> Route {
        described(summary, query: query, body: body(), replies: [.json(200, result())])
    }
}

extension RouteDescription.Reply {
    static func json(_ status: Int, _ schema: Schema, _ summary: String = "Done.") -> RouteDescription.Reply {
        RouteDescription.Reply(status: status, summary: summary, type: "application/json", schema: schema)
    }

    static func file(_ type: String, _ summary: String) -> RouteDescription.Reply {
        RouteDescription.Reply(status: 200, summary: summary, type: type, schema: nil)
    }

    static func empty(_ status: Int, _ summary: String) -> RouteDescription.Reply {
        RouteDescription.Reply(status: status, summary: summary, type: "", schema: nil)
    }
}
