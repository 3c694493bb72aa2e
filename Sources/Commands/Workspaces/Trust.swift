import Agents
import Glibc
import OrderedJSON

extension Command {
    static let workspacesTrust = Command(
        "workspaces trust", operands: "[PATH]", 0...1, summary: "trust a directory, so that its own settings count",
        details: """
            In a session that the daemon runs, Claude Code cannot ask whether you trust a directory. Until you do, there or
            here, the project's settings, hooks and servers do not count in it. PATH is where you are by default. It is asked
            at a terminal only, never on a device, and written where Claude Code keeps its own answer.
            """
    ) { invocation in
        let places = try Places(invocation)
        try ConfigurationRight.require(places)
        let directory = try directory(invocation.operands.first ?? ".")
        guard !ClaudeTrust.isTrusted(directory, environment: invocation.environment) else {
            return Terminal.write("\(directory.shown(200)) is trusted already\n")
        }
        guard OpenRequest.canAsk else {
            throw CommandFailure(.usage, "this is asked at a terminal; run it in one, or answer Claude Code there")
        }
        Terminal.write(question(directory))
        guard readLine()?.lowercased() == "yes" else { return Terminal.write("nothing was changed\n") }
        do throws(ClaudeTrust.Failure) { try ClaudeTrust.trust(directory, environment: invocation.environment) } catch {
            throw CommandFailure(.other, error.description)
        }
        Terminal.write("\(directory.shown(200)) is trusted; it counts from the next start of a session's process on\n")
    }

    private static func directory(_ path: String) throws(CommandFailure) -> String {
        let absolute = Places.absolute(path)
        guard let real = realpath(absolute, nil) else {
            throw CommandFailure(.other, "there is no directory \(absolute.shown(200))")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Names the files that begin to count.
    private static func question(_ directory: String) -> String {
        let names = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json", "CLAUDE.md"]
        let found = names.filter { access(directory + "/" + $0, F_OK) == 0 }
        let files = found.isEmpty ? "it has none of them now" : "now: " + found.joined(separator: ", ")
        return """
            \(directory.shown(200))
            Its settings may run commands, send the API key elsewhere and choose what is asked (\(files)).
            Trust the files in this directory? Type yes: 
            """
    }
}
