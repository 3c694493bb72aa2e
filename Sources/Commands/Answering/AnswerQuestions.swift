import OrderedJSON
import TerminalView

/// The questions of a command that answers a request, to the person at the terminal; refused elsewhere.
enum AnswerQuestions {
    /// The one open request, shown whole, after the person has said yes.
    static func chosen(_ invocation: Invocation, _ client: DaemonClient) throws(CommandFailure) -> JSON {
        let verb = invocation.command.name
        let card = try OpenRequest.only(verb, client)
        Terminal.write(try OpenRequest.text(of: card, client, invocation.environment))
        if verb == "allow" { try requireWhole(card) }
        try ask(verb == "pass" ? "answer it in terminal?" : "\(verb) it?")
        return card
    }

    /// Throws if `cdev pending` does not show all of the call, unless the person has seen it: it is shown here, and
    /// asked about where somebody can answer.
    static func requireSeen(
        _ card: JSON, _ invocation: Invocation, _ client: DaemonClient
    ) throws(CommandFailure) {
        guard !invocation.has("--unseen"), !RequestBlock.showsAll(of: card) else { return }
        guard OpenRequest.canAsk else {
            let id = ShortID.text(card.text("request_id"), among: [])
            throw CommandFailure(
                .refused,
                "refused: `cdev pending` does not show all of this call; read it with `cdev show \(id)`, then add --unseen"
            )
        }
        Terminal.write(try OpenRequest.text(of: card, client, invocation.environment))
        try requireWhole(card)
        try ask("allow it?")
    }

    /// The word that an allow of this card needs, as the person gave it or types it here; `nil` if it needs none.
    static func word(_ card: JSON, _ given: String?) throws(CommandFailure) -> String? {
        guard let word = card["confirm"]?["prompt"]?.stringValue else { return given }
        var typed = given
        if given == nil, OpenRequest.canAsk {
            Terminal.write("type \(word.shown(64)) to allow it: ")
            typed = readLine()
        }
        guard typed == word else {
            let id = ShortID.text(card.text("request_id"), among: [])
            let why = typed == nil ? "" : "that is another word; "
            throw CommandFailure(.other, "\(why)type the word: cdev allow \(id) --confirm \(word.shown(64))")
        }
        return word
    }

    /// Throws if the daemon gave no more than a part of the call: nobody can have seen the rest.
    static func requireWhole(_ card: JSON) throws(CommandFailure) {
        guard !CardReport.isWhole(card) else { return }
        throw CommandFailure(.refused, "refused: the daemon shows only a part of this call; deny it, or `cdev pass`")
    }

    private static func ask(_ question: String) throws(CommandFailure) {
        Terminal.write("\n\(question) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw CommandFailure(.refused, "nothing done: the request is open as before")
        }
    }
}
