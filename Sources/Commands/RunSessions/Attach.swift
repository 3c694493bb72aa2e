import Agents
import Glibc
import Host
import OrderedJSON
import Platform

extension Command {
    static let attach = Command(
        "attach", operands: "SESSION", 1...1,
        summary: "go on here, in Claude Code itself, with a session of the daemon",
        details: """
            Ends the session's process and starts `claude --resume` in this terminal, in its directory and mode. When you
            leave Claude Code the session is the daemon's again: the next prompt from a device goes on where you stopped.
            Meanwhile devices can watch it and not prompt it.
            """,
        options: [CommandOption("--now", nil, "if it works on something, stop that first")]
    ) { invocation in
        let places = try Places(invocation)
        guard OpenRequest.canAsk else {
            throw CommandFailure(.usage, "Claude Code needs a terminal; `cdev send` prompts the session from anywhere")
        }
        let client = places.client
        let session = try RunSessionChoice.find(invocation.operands[0], client)
        let program = try program(client)
        if invocation.has("--now") { try interrupt(session, client) }
        try become(program, client.call("session/attach", ["session_id": .string(session)]))
    }

    private static func program(_ client: DaemonClient) throws(CommandFailure) -> String {
        let found = try client.call("session/check")
        let problem = found.text("problem")
        guard problem.isEmpty else { throw CommandFailure(.other, problem) }
        return found.text("program")
    }

    /// Stops what it works on, and waits until it is idle.
    private static func interrupt(_ session: String, _ client: DaemonClient) throws(CommandFailure) {
        let deadline = SystemTime.awake + 10_000
        var isAsked = false
        while SystemTime.awake < deadline {
            let state = try client.call("session/state", ["session_id": .string(session)])
            let isBusy = ["running", "waiting"].contains(state.text("claude_state")) || !state.list("prompts").isEmpty
            guard isBusy else { return }
            if !isAsked { _ = try client.call("session/interrupt", ["session_id": .string(session)]) }
            isAsked = true
            usleep(50_000)
        }
    }

    /// Replaces this process by Claude Code: it keeps the number for which the daemon keeps the conversation free.
    private static func become(_ program: String, _ session: JSON) throws(CommandFailure) {
        let directory = session.text("directory")
        guard chdir(directory) == 0 else {
            throw CommandFailure(.other, "\(directory.shown(200)) cannot be entered: \(SystemError.last)")
        }
        let how = session["has_conversation"] == true ? "--resume=" : "--session-id="
        let words = [
            program, how + session.text("claude_session_id"), "--permission-mode", session.text("permission_mode"),
        ]
        var arguments = words.map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw CommandFailure(.other, "\(program) could not be started: \(SystemError.last)")
    }
}
