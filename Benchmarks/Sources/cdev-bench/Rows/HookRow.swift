import Glibc

extension Row {
    static let hook = Row(
        name: "hook",
        measures: "a hook's process from its start to its end, for a call that a session rule allows",
        against: "the least a relay can be in C, `sh -c curl`, bash with curl and jq, `python3 -S`",
        run: { try HookRow($0).run() })
}

private struct HookRow {
    let bench: Bench
    let daemon: DaemonProcess

    init(_ bench: Bench) throws {
        self.bench = bench
        daemon = try DaemonProcess(bench)
        let approver = try daemon.approver()
        try daemon.allow(sessions: ["bench"], by: approver)
    }

    func run() throws -> Findings {
        var findings = Findings()
        let small = try measure(1024, rounds: bench.rounds(500), &findings)
        try measure(200 * 1024, rounds: bench.rounds(100), &findings)
        let floor = small["floor in C"]!
        findings.check("cdev-hook / floor", small["cdev-hook"]! / floor, .atMost(1.25))
        findings.check("permission.sh / floor", small["permission.sh"]! / floor, .atMost(2.5))
        if let curl = small["sh -c curl"] {
            findings.check("cdev-hook / sh -c curl", small["cdev-hook"]! / curl, .atMost(0.15))
        }
        if let bash = small["bash, curl, jq"] {
            findings.check("cdev-hook / bash, curl, jq", small["cdev-hook"]! / bash, .atMost(0.03))
        }
        for tool in ["curl", "jq", "python3"] where Programs.find(tool) == nil {
            findings.notes.append("without what needs \(tool), which is not installed")
        }
        daemon.stop()
        return findings
    }

    /// Medians in nanoseconds by label.
    @discardableResult
    private func measure(_ bytes: Int, rounds: Int, _ findings: inout Findings) throws -> [String: Double] {
        let launches = try launches()
        let input = HookInput.bash(session: "bench", id: "call", bytes: bytes)
        let variants = launches.map { label, launch in
            Variant(label) {
                let run = try launch.run(input: input)
                guard run.status == 0, run.output.contains("allow") else { throw BenchError("\(label) failed") }
                return run.time
            }
        }
        let samples = try Interleaving.run(rounds: rounds, variants)
        var medians: [String: Double] = [:]
        for (variant, samples) in zip(variants, samples) {
            findings.add("\(variant.label), \(bytes / 1024) KB", samples)
            medians[variant.label] = samples.median
        }
        return medians
    }

    private func launches() throws -> [(String, Launch)] {
        let claude = [
            "CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PROJECT_DIR": "/tmp",
        ]
        let environment = Launch.plainEnvironment.merging(claude) { $1 }
        var launches = [
            ("floor in C", Launch(bench.programs.floor, [daemon.socket], environment: environment)),
            (
                "cdev-hook",
                Launch(
                    bench.programs.relay, ["--on-failure", "continue", "--socket", daemon.socket],
                    environment: environment)
            ),
            ("permission.sh", Launch(try HookScript.permission(bench, daemon), [], environment: environment)),
        ]
        let directory = try bench.makeDirectory("peers")
        if Programs.find("curl") != nil {
            launches.append(("sh -c curl", PeerScripts.curl(daemon.socket)))
            if Programs.find("jq") != nil {
                try bench.write(PeerScripts.bash(daemon.socket), to: directory + "/hook.bash")
                launches.append(("bash, curl, jq", Launch("/bin/bash", [directory + "/hook.bash"])))
            }
        }
        if let python = Programs.find("python3") {
            try bench.write(PeerScripts.python(daemon.socket), to: directory + "/hook.py")
            launches.append(("python3 -S", Launch(python, ["-S", directory + "/hook.py"])))
        }
        return launches
    }
}

extension [UInt8] {
    func contains(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard count >= wanted.count else { return false }
        return (0...count - wanted.count).contains { self[$0...].starts(with: wanted) }
    }
}
