import Glibc
import OrderedJSON

extension Command {
    static let run = Command(
        "run", operands: "[DIR] [PROMPT]", 0...2, summary: "start a session that the daemon runs, and follow it here",
        details: """
            Starts Claude Code in DIR, by default where you are, and sends PROMPT. At a terminal what it asks is asked here,
            too, and a line you type is its next prompt; an empty line or Ctrl-C leaves it. It goes on when you leave:
            `cdev send` prompts it, `cdev stop SESSION` ends it. Elsewhere the command ends once the prompt is done.
            """,
        options: [
            .json, CommandOption("--mode", "MODE", "default, acceptEdits, plan, auto or dontAsk"),
            CommandOption("--model", "MODEL", "as Claude Code's --model takes it"),
            CommandOption("--resume", "SESSION", "go on in the conversation of a session that has ended"),
            CommandOption("--thoughts", nil, "show the agent's thoughts as well"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let (directory, prompt) = try place(invocation)
        let workspace = try workspace(directory, places.client)
        var stream = try EventStream(socketPath: places.socket, name: "cdev run", isApprover: OpenRequest.canAsk)
        var params: JSONObject = ["workspace_id": .string(workspace)]
        if let mode = invocation["--mode"] { params["permission_mode"] = .string(mode) }
        if let model = invocation["--model"] { params["model"] = .string(model) }
        if let past = invocation["--resume"] {
            params["resume_session_id"] = .string(try TranscriptChoice.find(past, places.client))
        }
        let session = try stream.call("session/start", .object(params))
        try RunFollowing(invocation, places, session).run(&stream, first: prompt)
    }

    /// One operand that is no directory is the prompt.
    private static func place(_ invocation: Invocation) throws(CommandFailure) -> (directory: String, prompt: String?) {
        let operands = invocation.operands
        guard let first = operands.first else { return (Places.absolute("."), nil) }
        let path = Places.absolute(first)
        if isDirectory(path) { return (path, operands.count > 1 ? operands[1] : nil) }
        guard operands.count == 1 else { throw CommandFailure(.usage, "\(path.shown(200)) is no directory") }
        return (Places.absolute("."), first)
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The id of the directory's workspace, which is added where there is none.
    private static func workspace(_ directory: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        try client.call("workspace/add", ["path": .string(directory)]).text("id")
    }
}
