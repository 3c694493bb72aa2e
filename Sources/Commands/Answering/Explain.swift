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
        Terminal.write(ExplanationText.lines(explanation, Paint(invocation.environment)).map { $0 + "\n" }.joined())
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
    static func lines(_ explanation: Explanation, _ paint: Paint) -> [String] {
        if let stop = explanation.stop {
            let place = String(describing: stop).shown(400)
            return [
                "You are asked about this line each time: nobody can say from its text what it would run.",
                "The reading ends here: \(paint.warning(place))",
            ]
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
