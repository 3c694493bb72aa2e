import Glibc
import OrderedJSON
import TerminalView

/// An open request, found by what a person types.
enum OpenRequest {
    /// The least characters of an id after `r_`: 20 bits, so that an old id on the screen cannot match a newer request.
    private static let leastOfID = 4

    /// The only open request whose id begins with `prefix`; `nil` if none does.
    static func find(_ prefix: String, _ client: DaemonClient) throws(CommandFailure) -> JSON? {
        let open = try client.pending()
        if let card = open.first(where: { $0.text("request_id") == prefix }) { return whole(card, client) }
        // `cdev allow "$ID"` with an empty variable, or `cdev allow r`, would answer any request that is open at this
        // moment.
        guard prefix.count - (prefix.hasPrefix("r_") ? 2 : 0) >= leastOfID else {
            throw CommandFailure(
                .usage, "\"\(prefix)\" is too short for an id: give at least \(leastOfID) characters after r_")
        }
        let id = try ShortID.find(prefix, among: open.map(named), "open requests")
        return open.first { $0.text("request_id") == id }.map { whole($0, client) }
    }

    /// The card with all of its input: a list holds the largest ones cut.
    private static func whole(_ card: JSON, _ client: DaemonClient) -> JSON {
        guard card["truncated"]?.objectValue?.isEmpty == false else { return card }
        let page = try? client.call("permission/pending", ["request_id": .string(card.text("request_id"))])
        return page?.list("requests").first ?? card
    }

    static func card(_ prefix: String, _ client: DaemonClient) throws(CommandFailure) -> JSON {
        guard let card = try find(prefix, client) else {
            throw CommandFailure(
                .other, "no open request has the id \(prefix.shown(60)); `cdev log` shows those that have ended")
        }
        return card
    }

    /// The only request that is open, for a command without an id; throws with the ids of all if there are several.
    static func only(_ verb: String, _ client: DaemonClient) throws(CommandFailure) -> JSON {
        let open = try client.pending()
        guard let card = open.first else {
            throw CommandFailure(.other, "nothing is waiting, so there is nothing to \(verb)")
        }
        guard open.count == 1 else {
            throw CommandFailure(
                .usage,
                "\(open.count) requests are open: \(ShortID.list(open.map(named))); say which: `cdev \(verb) ID`")
        }
        guard Self.canAsk else {
            let (id, about) = named(card)
            throw CommandFailure(
                .usage,
                "say which: `cdev \(verb) \(ShortID.text(id, among: []))` answers the one open request (\(about))")
        }
        return whole(card, client)
    }

    /// True where a person can be asked: standard input and output are a terminal.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// A request's id, and the words by which a person knows it.
    static func named(_ card: JSON) -> (id: String, about: String) {
        (card.text("request_id"), "\(card.text("tool_name").shown(30)) \(RequestLine.what(card).shown(40))")
    }

    /// All of the card for people, its preview included.
    static func text(
        of card: JSON, _ client: DaemonClient, _ environment: [String: String]
    ) throws(CommandFailure) -> String {
        // Without a preview the input itself is shown.
        let preview = try? client.call("permission/preview", ["request_id": .string(card.text("request_id"))])
        let report = CardReport(
            card: card, preview: preview, width: TerminalLines.columns ?? 100,
            charset: Charset(environment: environment), hasColor: TerminalLines.hasColours(environment))
        guard let report else { throw CommandFailure(.other, "the daemon's card has no request id") }
        return report.lines.map { $0 + "\n" }.joined()
    }
}
