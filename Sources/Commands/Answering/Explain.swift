import Agents
import Core
import Host
import OrderedJSON
import Rules

extension Command {
    static let explain = Command(
        "explain", operands: "LINE", 1...1, summary: "show how a command line is understood, and why you were asked",
        details: "LINE is one word to your shell: quote it. The project is taken to be the directory itself.",
        options: [
            CommandOption("--cwd", "DIR", "where it would run; here unless told"), .json,
            CommandOption("--root", "DIR", "the session's project directory; the one it runs in unless told"),
        ]
    ) { invocation in
        let cwd = Places.absolute(invocation["--cwd"] ?? WorkingDirectory.path)
        let root = Places.absolute(invocation["--root"] ?? cwd)
        let home = invocation.environment["HOME"] ?? "/"
        let context = RuleContext(
            root: root, cwd: cwd, home: home,
            agentDirectory: SettingsLocation.directory(environment: invocation.environment),
            ownGitFiles: GitVariables.files(environment: invocation.environment),
            commands: try UserCommands.table(home: try Places(invocation).home))
        let explanation = RuleEngine.explain(line: invocation.operands[0], context: context, paths: DiskPaths())
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(members(explanation))) }
        let paint = Paint(invocation.environment)
        let lines = ExplanationText.lines(explanation, of: invocation.operands[0], paint)
        Terminal.write(lines.map { $0 + "\n" }.joined())
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

/// An explanation in a user's words: what each command needs, and what "for session" would allow.
private enum ExplanationText {
    static func lines(_ explanation: Explanation, of line: String, _ paint: Paint) -> [String] {
        if let stop = explanation.stop {
            return ["You are asked about this line each time: nobody can say from its text what it would run."]
                + mark(stop, in: line, paint)
        }
        var lines: [String] = []
        for part in explanation.parts {
            lines.append(paint.bold(part.words.map { $0.isEmpty ? "''" : $0 }.joined(separator: " ").shown(1000)))
            lines += about(part, paint).map { "    " + $0 }
        }
        lines.append("")
        if let note = explanation.note { lines.append(note.shown(1000)) }
        let patterns = explanation.patterns.map(\.stored).joined(separator: ", ").shown(1000)
        lines.append(
            patterns.isEmpty
                ? "Nothing can be allowed for the session: you are asked each time."
                : "\"Allow for session\" would allow, until the session ends: \(paint.good(patterns))")
        return lines
    }

    /// Letters shown before and behind the place where the reading ends.
    private static let shown = (before: 50, behind: 20)

    /// The line around that place, and below it a mark with the reason.
    private static func mark(_ stop: ShellStop, in line: String, _ paint: Paint) -> [String] {
        let bytes = Array(line.utf8)
        let place = min(stop.offset, bytes.count)
        let (before, behind) = (
            String(decoding: bytes[..<place], as: UTF8.self), String(decoding: bytes[place...], as: UTF8.self)
        )
        let start = String(before.suffix(shown.before)).shown(8 * shown.before)
        let end = String(behind.prefix(shown.behind)).shown(8 * shown.behind)
        let cut = before.count > shown.before ? "…" : ""
        let rest = behind.count > shown.behind ? "…" : ""
        let spaces = String(repeating: " ", count: (cut + start).count)
        return ["    \(cut)\(start)\(end)\(rest)", paint.warning("    \(spaces)^ \(stop.reason.rawValue)")]
    }

    private static func about(_ part: Explanation.Part, _ paint: Paint) -> [String] {
        if let refusal = part.refusal {
            return [paint.warning("only this very line can be allowed: \(refusal.shown(600))")]
        }
        let reason = part.reason.map { " (\($0.shown(400)))" } ?? ""
        if part.isFree { return [paint.good("harmless beside other commands: it needs no rule\(reason)")] }
        guard let key = part.key else { return [] }
        return ["a rule for \(paint.good("`\(key.shown(200)) …`")) covers it\(reason)"]
    }
}
