package import OrderedJSON

/// What the daemon understands; an older one knows less.
package struct Features: Sendable, Hashable {
    package var previews: Bool
    /// `permission/respond` takes a part of the patterns.
    package var takesPatterns: Bool
    /// Our answers count: we do not run inside an agent.
    package var mayDecide: Bool

    package init(previews: Bool = false, takesPatterns: Bool = false, mayDecide: Bool = true) {
        self.previews = previews
        self.takesPatterns = takesPatterns
        self.mayDecide = mayDecide
    }

    /// - Parameter discovery: The OpenRPC document of `rpc.discover`.
    package init(discovery: JSON, mayDecide: Bool) {
        let methods = discovery.list("methods")
        let respond = methods.first { $0.text("name") == "permission/respond" }
        previews = methods.contains { $0.text("name") == "permission/preview" }
        takesPatterns = respond?.list("params").contains { $0.text("name") == "patterns" } ?? false
        self.mayDecide = mayDecide
    }
}

/// What happens to the watcher.
package enum WatchEvent: Sendable {
    /// The daemon's reply to an answer of ours: its result, or its error.
    case answered(requestID: String, Result<JSON, RPCFailure>)
    /// The daemon is connected; `cards` is everything that is open now.
    case connected(Features, cards: [JSON])
    /// The external editor has closed; nil where nothing came of it.
    case edited(requestID: String, text: String?)
    /// An event's name, without `event/`, and its parameters.
    case event(String, JSON)
    case key(Key)
    /// Several keys that came in one piece, as a paste or a slow line brings them.
    case keys([Key])
    /// The connection is gone; the next try is at this uptime.
    case lost(String, retryAt: Int64)
    case preview(requestID: String, JSON?)
    /// Where sessions have their roots.
    case sessions([JSON])
    case tick
    /// A card that had come cut.
    case whole(requestID: String, JSON?)
}

/// An error of a method.
package struct RPCFailure: Error, Sendable, Hashable {
    package let message: String
    package let data: JSON

    package init(message: String, data: JSON = .null) {
        self.message = message
        self.data = data
    }
}

/// What is to be done about it, in this order.
package enum WatchEffect: Sendable, Equatable {
    case askPreview(requestID: String)
    case askSessions
    case askWhole(requestID: String)
    case bell
    /// Opens the person's editor with the text.
    case edit(requestID: String, text: String)
    case quit
    case redraw
    case respond(requestID: String, params: JSONObject)
    case suspend
}
