import Core
import Host
import OrderedJSON
import Rules

extension Command {
    static let explain = Command(
        "explain", operands: "LINE", 1...1, summary: "show how a command line is understood, and why you were asked",
        details: "LINE is one word to your shell: quote it. The root is taken to be the directory itself.",
        options: [
            CommandOption("--cwd", "DIR", "where it would run; here unless told"), .json,
            CommandOption("--root", "DIR", "the session's project directory; the one it runs in unless told"),
        ]
    ) { invocation in
        let cwd = Places.absolute(invocation["--cwd"] ?? WorkingDirectory.path)
        let root = Places.absolute(invocation["--root"] ?? cwd)
        let home = invocation.environment["HOME"] ?? "/"
        let context = RuleContext(
            root: root, cwd: cwd, home: home, commands: try UserCommands.table(home: try Places(invocation).home))
        let explanation = RuleEngine.explain(line: invocation.operands[0], context: context, paths: DiskPaths())
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(members(explanation))) }
        Terminal.write(explanation.description.split(separator: "\n").map { "\(String($0).shown(1000))\n" }.joined())
    }

    private static func members(_ explanation: Explanation) -> JSONObject {
        [
            "stop": explanation.stop.map { .string(String(describing: $0)) } ?? .null,
            "parts": .array(explanation.parts.map(part)),
            "patterns": .array(explanation.patterns.map { .string($0.stored) }),
            "note": explanation.note.map { .string($0) } ?? .null,
        ]
    }

    private static func part(_ part: Explanation.Part) -> JSON {
        [
            "words": .array(part.words.map { .string($0) }), "key": part.key.map { .string($0) } ?? .null,
            "row": part.row.map { .string($0) } ?? .null, "reason": part.reason.map { .string($0) } ?? .null,
            "needs_no_rule": .bool(part.isFree), "refusal": part.refusal.map { .string($0) } ?? .null,
        ]
    }
}
