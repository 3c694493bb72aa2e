package import OrderedJSON

/// The abilities of the daemon; an older daemon has fewer.
package struct Features: Sendable, Hashable {
    package var previews: Bool
    /// `permission/respond` can grant some of the patterns.
    package var takesPatterns: Bool
    /// True if the daemon takes answers from this terminal, which does not run inside an agent.
    package var mayDecide: Bool
    /// A session's transcript can be read and followed.
    package var transcripts: Bool

    package init(
        previews: Bool = false, takesPatterns: Bool = false, mayDecide: Bool = true, transcripts: Bool = false
    ) {
        self.previews = previews
        self.takesPatterns = takesPatterns
        self.transcripts = transcripts
        self.mayDecide = mayDecide
    }

    /// - Parameter discovery: The OpenRPC document of `rpc.discover`.
    package init(discovery: JSON, mayDecide: Bool) {
        let methods = discovery.list("methods")
        let respond = methods.first { $0.text("name") == "permission/respond" }
        let names = Set(methods.map { $0.text("name") })
        previews = names.contains("permission/preview")
        transcripts = names.isSuperset(of: ["workspace/session/messages", "workspace/session/watch"])
        takesPatterns = respond?.list("params").contains { $0.text("name") == "patterns" } ?? false
        self.mayDecide = mayDecide
    }
}

/// An input of `WatchModel`.
package enum WatchEvent: Sendable {
    /// The daemon's reply to an answer that was sent: its result, or its error.
    case answered(requestID: String, Result<JSON, RPCFailure>)
    /// The daemon is connected; `cards` are all open requests.
    case connected(Features, cards: [JSON])
    /// The external editor has closed; `text` is `nil` if it failed.
    case edited(requestID: String, text: String?)
    /// An event's name, without `event/`, and its parameters.
    case event(String, JSON)
    case key(Key)
    /// Several keys that were read at once, as a paste or a slow line brings them.
    case keys([Key])
    /// The connection is gone; the next try is at this uptime.
    case lost(String, retryAt: Int64)
    case preview(requestID: String, JSON?)
    /// The daemon's reply to a rule's revocation.
    case revoked(Result<JSON, RPCFailure>)
    /// The sessions, from which their roots are read.
    case sessions([JSON])
    case tick
    /// News of the transcript of a session that is followed.
    case transcript(session: String, TranscriptNews)
    /// The rows of a view that was asked for, the first one on top; `nil` if the daemon did not give them.
    case view(WatchView, [ViewRow]?)
    /// The whole card of a request whose card was cut.
    case whole(requestID: String, JSON?)
}

/// An error that a method returned.
package struct RPCFailure: Error, Sendable, Hashable {
    package let message: String
    package let data: JSON

    package init(message: String, data: JSON = .null) {
        self.message = message
        self.data = data
    }
}

/// An action for the loop after an event; several are done in order.
package enum WatchEffect: Sendable, Equatable {
    case askPreview(requestID: String)
    case askSessions
    case askView(WatchView)
    case askWhole(requestID: String)
    case bell
    /// Opens the person's editor with the text.
    case edit(requestID: String, text: String)
    /// Brings the end of a session's transcript and then what is added, and nothing more of the one before; `""` ends it.
    case follow(session: String)
    case quit
    case redraw
    case respond(requestID: String, params: JSONObject)
    case revoke(ruleID: String)
    case suspend
}
