import Glibc
import OrderedJSON
import TerminalView

/// `cdev run`: shows what a session says, asks what it asks, and takes its next prompts.
struct RunFollowing {
    private let invocation: Invocation
    private let client: DaemonClient
    private let session: String
    private var text: TranscriptText

    init(_ invocation: Invocation, _ places: Places, _ session: JSON) {
        self.invocation = invocation
        client = places.client
        self.session = session.text("id")
        text = TranscriptText(invocation)
    }

    private var name: String { ShortID.text(session, among: []) }

    func run(_ stream: inout EventStream, first: String?) throws(CommandFailure) {
        var following = self
        if first == nil { introduce() }
        var next = first ?? Self.line()
        while let prompt = next {
            let sent = try stream.call("session/send", ["session_id": .string(session), "prompt": .string(prompt)])
            try following.follow(&stream, until: sent.text("prompt_id"))
            next = Self.line()
        }
        Following.say("session \(name) goes on; `cdev stop \(name)` ends it")
    }

    private func introduce() {
        Following.say("session \(name); `cdev send \(name) PROMPT` prompts it, `cdev stop \(name)` ends it")
    }

    /// A project without its own settings may do other than in a terminal, where Claude Code asks about it.
    private func warn(_ session: JSON) {
        guard let note = RunSessionRows.settingsNote(session) else { return }
        Following.say("\(note); `cdev workspaces trust` there changes that, from the next start of the session on")
    }

    /// The next prompt of a person; `nil` where there is none.
    private static func line() -> String? {
        guard OpenRequest.canAsk else { return nil }
        Terminal.write("> ")
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Shows what comes until the prompt has ended and nothing runs behind it.
    private mutating func follow(_ stream: inout EventStream, until prompt: String) throws(CommandFailure) {
        while let event = try stream.next() {
            let params = event.params
            guard params.text("session_id") == session else { continue }
            if invocation.wantsJSON {
                Terminal.write(ListOutput.json(["event": .string(event.name), "params": params]))
            }
            switch event.name {
            case "session_start":
                introduce()
                warn(params)
            case "claude_message": if !invocation.wantsJSON { Terminal.write(text.add(params)) }
            case "claude_permission", "claude_waiting": try ask(params)
            case "claude_usage" where params["is_error"] == true:
                Following.say("the turn ended with an error: \(params.text("text").shown(400))")
            case "claude_status" where params["claude_state"] == "idle" && !Self.holds(params, prompt):
                if !invocation.wantsJSON { Terminal.write(text.finish()) }
                return
            case "claude_status" where ["ended", "parked"].contains(params.text("claude_state")): return try end(params)
            default: continue
            }
        }
        throw CommandFailure(
            .noDaemon, "the daemon is away; session \(name) goes on, and so can you: `cdev transcript \(name)`")
    }

    private static func holds(_ status: JSON, _ prompt: String) -> Bool {
        status.list("prompts").contains { $0.text("prompt_id") == prompt }
    }

    private func end(_ status: JSON) throws(CommandFailure) {
        let why = status.text("error")
        throw CommandFailure(
            .other, why.isEmpty ? "the session's process has ended before the prompt was done" : why.shown(400))
    }

    /// Asks the person here, as everybody else who may answer is asked: the first answer counts.
    private func ask(_ asked: JSON) throws(CommandFailure) {
        let id = asked.text("request_id")
        guard OpenRequest.canAsk, let card = try OpenRequest.find(id, client) else {
            return Following.say("it asks: `cdev show \(ShortID.text(id, among: []))`")
        }
        do throws(CommandFailure) {
            Terminal.write("\n")
            if let form = FormAnswers(card: card) {
                try respond(card, ["decision": "allow", "answers": try Command.asked(form, card, client, invocation)])
            } else {
                Terminal.write(try OpenRequest.text(of: card, client, invocation.environment))
                try decide(card)
            }
        } catch {
            guard error.status != .noDaemon else { throw error }
            Following.say(error.message)
        }
    }

    private func decide(_ card: JSON) throws(CommandFailure) {
        Terminal.write("\nallow it? [y/n, or return to leave it to others] ")
        switch readLine()?.lowercased() {
        case "y", "yes":
            try AnswerQuestions.requireWhole(card)
            var members: JSONObject = ["decision": "allow"]
            if let word = try AnswerQuestions.word(card, nil) { members["confirm"] = .string(word) }
            try respond(card, members)
        case "n", "no": try respond(card, ["decision": "deny"])
        default:
            Following.say(
                "left open: `cdev allow \(ShortID.text(card.text("request_id"), among: []))`, or from a device")
        }
    }

    private func respond(_ card: JSON, _ members: JSONObject) throws(CommandFailure) {
        var params = members
        params["request_id"] = card["request_id"] ?? ""
        if let opening = card["opening"] { params["opening"] = opening }
        _ = try client.call("permission/respond", .object(params))
    }
}
