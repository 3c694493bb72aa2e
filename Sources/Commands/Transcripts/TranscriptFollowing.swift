import OrderedJSON

/// `cdev transcript --follow`: what was said, and then each new message.
struct TranscriptFollowing {
    private let invocation: Invocation
    private let places: Places
    private let reading: TranscriptReading
    private var text: TranscriptText
    /// The number of the last message that was shown; `nil` at the beginning.
    private var last: Int?

    init(_ invocation: Invocation, _ places: Places, _ reading: TranscriptReading) {
        self.invocation = invocation
        self.places = places
        self.reading = reading
        text = TranscriptText(invocation)
    }

    func run() throws(CommandFailure) {
        var following = self
        try Following.run(places, name: "cdev transcript", isApprover: false, invocation) {
            (stream: inout EventStream) throws(CommandFailure) in
            try following.follow(&stream)
        }
    }

    private mutating func follow(_ stream: inout EventStream) throws(CommandFailure) {
        if last == nil { last = try readAll() }
        // Whatever came since, or while the daemon was away, is sent first.
        let params: JSON = [
            "session_id": .string(reading.session), "after": .number(JSONNumber(last ?? 0)), "subagents": true,
        ]
        _ = try stream.call("workspace/session/watch", params)
        while let event = try stream.next() {
            guard event.name == "claude_message", event.params.text("session_id") == reading.session else { continue }
            show(event.params)
            // The number of a subagent's message counts in another transcript.
            if event.params["parent_tool_use_id"] == nil { last = event.params["id"]?.intValue ?? last }
        }
    }

    private mutating func readAll() throws(CommandFailure) -> Int {
        var following = self
        let last = try reading.pages { page in
            following.text.note(subagents: page.list("subagents"))
            for message in page.list("messages") { following.show(message) }
        }
        self = following
        return last
    }

    private mutating func show(_ message: JSON) {
        Terminal.write(invocation.wantsJSON ? Command.line(message) : text.add(message))
    }
}
