import OrderedJSON

extension Row {
    static let claude = Row(
        name: "claude",
        measures:
            "a tool call of the real Claude Code, from the model's wish to the tool's result, with the same hooks",
        against: "no hook; `sh -c true` twice; C that does nothing; the floor; `sh -c curl`; Claude Code's type http",
        run: { try ClaudeRow($0).run() })
}

private struct ClaudeRow {
    let bench: Bench
    let program: String
    let daemon: DaemonProcess
    let token: String
    /// Calls of one conversation.
    private let calls = 30

    private struct Hooks {
        let label: String
        /// `settings.json`.
        let settings: String
    }

    init(_ bench: Bench) throws {
        guard let program = bench.claude else {
            throw BenchError(
                "Claude Code was not found; name it with --claude PATH or install claude-agent-sdk with pip")
        }
        self.bench = bench
        self.program = program
        daemon = try DaemonProcess(bench)
        token = try daemon.token()
    }

    func run() throws -> Findings {
        let hooks = try variants()
        var samples = [Samples](repeating: Samples(), count: hooks.count)
        for round in 0..<bench.rounds(30) {
            for step in hooks.indices {
                let index = (step + round) % hooks.count
                samples[index].add(try conversation(hooks[index]))
            }
        }
        daemon.stop()
        return findings(of: hooks, samples)
    }

    private func findings(of hooks: [Hooks], _ samples: [Samples]) -> Findings {
        var findings = Findings()
        for (hooks, samples) in zip(hooks, samples) { findings.add(hooks.label, samples, in: .milliseconds) }
        func difference(_ one: Int, _ other: Int) -> Double { (samples[one].median - samples[other].median) / 1e6 }
        let twin = abs(difference(2, 3))
        findings.check("difference of the two `sh -c true`", twin, .atMost(1), .milliseconds)
        findings.check("cdev − `sh -c true`", difference(1, 2), .atMost(2), .milliseconds)
        // What of that any program costs, and any that asks somebody.
        findings.check("C that does nothing − `sh -c true`", difference(4, 2), .none, .milliseconds)
        findings.check("floor in C − `sh -c true`", difference(5, 2), .none, .milliseconds)
        if twin > 1 { findings.notes.append("the same thing twice differs by more than 1 ms, so this run cannot tell") }
        return findings
    }

    private func variants() throws -> [Hooks] {
        _ = try HookScript.permission(bench, daemon)
        let ours = ProcessFacts.text(daemon.home + "/settings.json")
        let events = try JSON(parsing: Array(ours.utf8))["hooks"]?.objectValue?.keys ?? []
        let curl = PeerScripts.curl(daemon.socket).arguments[1]
        func command(_ text: String) -> String {
            Self.settings(events, ["type": "command", "command": .string(text)])
        }
        return [
            Hooks(label: "no hook", settings: "{}"),
            Hooks(label: "cdev", settings: ours),
            Hooks(label: "sh -c true", settings: command("true")),
            Hooks(label: "sh -c true, again", settings: command("true ")),
            Hooks(label: "C that does nothing", settings: command("exec '\(bench.programs.floor)'")),
            Hooks(label: "floor in C", settings: command("exec '\(bench.programs.floor)' '\(daemon.socket)'")),
            Hooks(label: "sh -c curl", settings: command(curl)),
            Hooks(
                label: "type http",
                settings: Self.settings(
                    events,
                    [
                        "type": "http", "url": .string("http://127.0.0.1:\(daemon.port)/hooks/claude"),
                        "headers": ["Authorization": .string("Bearer \(token)")],
                    ])),
        ]
    }

    private static func settings(_ events: [String], _ hook: JSON) -> String {
        let entry: JSON = ["matcher": "*", "hooks": [hook]]
        let hooks = JSONObject(events.map { ($0, JSON.array([entry])) })
        return JSON.object(JSONObject([("hooks", .object(hooks))])).serialized()
    }

    /// The times of one conversation's calls; the first is left out, since it loads what the others find.
    private func conversation(_ hooks: Hooks) throws -> Samples {
        let home = try bench.makeDirectory("c")
        try bench.write(hooks.settings, to: home + "/settings.json")
        let project: JSON = ["hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true]
        let state: JSON = [
            "hasCompletedOnboarding": true, "numStartups": 5,
            "customApiKeyResponses": ["approved": ["dummy-local"], "rejected": []],
            "projects": .object(JSONObject([(home, project)])),
        ]
        try bench.write(state.serialized(), to: home + "/.claude.json")
        let model = try Launch(bench.programs.bench, ["--part", "model", "\(calls)"]).start(pipes: true)
        let port = model.readLine()
        let command = "cd '\(home)' && exec timeout 60 '\(program)' -p go --output-format stream-json --verbose"
        let run = try Launch("/bin/sh", ["-c", command], environment: environment(home, port)).run()
        model.stop()
        let times = String(decoding: model.readAll(), as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
        guard times.count == calls else {
            let output = String(decoding: run.output.suffix(300), as: UTF8.self)
            throw BenchError("\(hooks.label): \(times.count) of \(calls) calls; Claude Code said: \(output)")
        }
        var samples = Samples()
        for time in times.dropFirst() { samples.add(time) }
        return samples
    }

    private func environment(_ home: String, _ port: String) -> [String: String] {
        Launch.plainEnvironment.merging([
            "HOME": home, "CLAUDE_CONFIG_DIR": home, "CLAUDE_CODE_TMPDIR": home, "TMPDIR": home, "TERM": "dumb",
            "ANTHROPIC_API_KEY": "dummy-local", "ANTHROPIC_BASE_URL": "http://127.0.0.1:\(port)",
            "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",
        ]) { $1 }
    }
}
