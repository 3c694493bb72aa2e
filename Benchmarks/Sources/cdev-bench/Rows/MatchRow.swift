import CBench
import Core
import Glibc
import Host
import OrderedJSON

extension Row {
    static let match = Row(
        name: "match",
        measures: "the matcher alone: one call against 200 rules of its session, as the broker asks it",
        against: "nothing else",
        run: { try MatchRow($0).run() })
}

private struct MatchRow {
    let bench: Bench
    let evaluator: EngineEvaluator
    let place: RulePlace

    init(_ bench: Bench) throws {
        self.bench = bench
        let root = try bench.makeDirectory("p")
        for number in 0..<200 { try bench.write("text", to: "\(root)/file\(number).txt") }
        evaluator = EngineEvaluator(paths: DiskPaths(), commands: .shipped, home: "/nonexistent")
        place = RulePlace(root: root, cwd: root, shell: "/bin/bash")
    }

    func run() throws -> Findings {
        var findings = Findings()
        let bash = try rules(
            (0..<200).map { number in bashCall(number < 199 ? "npm run script\(number)" : "npm test") })
        let short = measure("short line", bashCall("npm test"), bash, &findings)
        measure("short line, no rule", bashCall("npm install thing"), bash, &findings, settles: false)
        let line = Array(repeating: "npm test", count: 390).joined(separator: " && ")
        let long = measure("\(line.utf8.count) B line, 390 commands", bashCall(line), bash, &findings)
        let word = "npm test -- " + String(repeating: "a", count: 4080)
        measure("\(word.utf8.count) B line, one command", bashCall(word), bash, &findings, settles: nil)
        let files = try rules((0..<200).map(editCall))
        measure("a file edited (links are resolved)", editCall(199), files, &findings, rounds: 400)
        findings.check("short line, 200 rules", short / 1e3, .atMost(10), .microseconds)
        let growth = long / short / (Double(line.utf8.count) / 8)
        findings.check("4 KB line / short line, by bytes", growth, .atMost(1))
        return findings
    }

    private func bashCall(_ line: String) -> ToolCall {
        ToolCall(tool: Tool(name: "Bash", kind: .shellCommand), input: ["command": .string(line)], useID: nil)
    }

    private func editCall(_ number: Int) -> ToolCall {
        ToolCall(
            tool: Tool(name: "Edit", kind: .fileChanges),
            input: ["file_path": .string("\(place.root)/file\(number).txt"), "old_string": "a", "new_string": "b"],
            useID: nil)
    }

    /// One rule for each call, as a person's "for session" makes it.
    private func rules(_ calls: [ToolCall]) throws -> GrantedRules {
        try GrantedRules(
            calls.enumerated().map { number, call in
                guard let pattern = evaluator.offers(for: call, at: place).allow.first else {
                    throw BenchError("nothing is offered for \(call.input.serialized())")
                }
                return SessionRule(
                    id: "rule\(number)", sessionID: "s", effect: .allow, pattern: pattern,
                    createdAt: Timestamp(milliseconds: 0), grantedBy: "bench", requestID: "r",
                    lastMatch: Timestamp(milliseconds: 0))
            })
    }

    /// Nanoseconds per call, the median of rounds of a hundred.
    @discardableResult
    private func measure(
        _ label: String, _ call: ToolCall, _ rules: GrantedRules, _ findings: inout Findings, rounds: Int = 2000,
        settles: Bool? = true
    ) -> Double {
        var samples = Samples()
        let batch = 20
        var settled = 0
        let before = cbench_allocations()
        for _ in 0..<bench.rounds(rounds) {
            let time = Clock.time {
                for _ in 0..<batch { settled += evaluator.allowing(call, at: place, among: rules).isEmpty ? 0 : 1 }
            }
            samples.add(Double(time) / Double(batch))
        }
        let calls = batch * samples.count
        let allocations = Double(cbench_allocations() - before) / Double(calls)
        findings.add(label, samples)
        findings.add("  allocations", allocations, .count)
        if let settles, settled != (settles ? calls : 0) {
            findings.notes.append("\(label): the answer was not as it should be")
        }
        return samples.median
    }
}
