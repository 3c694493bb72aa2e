import Glibc
import OrderedJSON

extension Command {
    static let send = Command(
        "send", operands: "SESSION PROMPT", 2...2, summary: "send a prompt to a session that the daemon runs",
        details: """
            SESSION is an id as `cdev run` shows it, or the beginning of one. PROMPT is the text, or - for standard input.
            The prompt waits until what the session works on is done; a session without a process gets one first.
            """,
        options: [.json]
    ) { invocation in
        let client = try Places(invocation).client
        let session = try RunSessionChoice.find(invocation.operands[0], client)
        let prompt = try text(invocation.operands[1])
        let sent = try client.call("session/send", ["session_id": .string(session), "prompt": .string(prompt)])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(sent.objectValue ?? [:])) }
        Terminal.write("sent to \(ShortID.text(session, among: []))\n")
    }

    private static func text(_ operand: String) throws(CommandFailure) -> String {
        guard operand == "-" else { return operand }
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        guard !text.isEmpty else { throw CommandFailure(.usage, "standard input holds no prompt") }
        return text
    }
}
