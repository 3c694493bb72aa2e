import Glibc

extension Row {
    static let decide = Row(
        name: "decide",
        measures: "from an approver's permission/respond to the end of the hook's process",
        against: "one loopback round trip, one durable SQLite commit of such a row on the same disk, one process's end",
        run: { try DecideRow($0).run() })
}

private struct DecideRow {
    let bench: Bench
    let daemon: DaemonProcess
    let approver: Approver
    let floorSocket: String
    let floor: Child

    init(_ bench: Bench) throws {
        self.bench = bench
        daemon = try DaemonProcess(bench)
        approver = try daemon.approver()
        let directory = try bench.makeDirectory("d")
        floorSocket = directory + "/s"
        let launch = Launch(bench.programs.bench, ["--part", "decider", floorSocket, directory + "/floor.db"])
        floor = try launch.start(pipes: true)
        guard floor.readLine() == "ready" else { throw BenchError("the floor's server did not start") }
    }

    func run() throws -> Findings {
        var number = 0
        let samples = try Interleaving.run(
            rounds: bench.rounds(400),
            [
                Variant("cdev") {
                    number += 1
                    return try decide(number)
                },
                Variant("floor", decideFloor),
            ])
        var findings = Findings()
        findings.add("respond → hook has ended", samples[0])
        findings.add("floor", samples[1])
        let extra = (samples[0].p99 - samples[1].p99) / 1e6
        findings.check("p99 above the floor's p99", extra, .atMost(3), .milliseconds)
        findings.check("median above the floor's", (samples[0].median - samples[1].median) / 1e6, .none, .milliseconds)
        daemon.stop()
        floor.stop()
        return findings
    }

    private func decide(_ number: Int) throws -> Nanoseconds {
        let session = "decide-\(number / 40)"
        let child = try Launch(bench.programs.relay, ["--socket", daemon.socket]).start(pipes: true)
        child.write(HookInput.bash("touch file-\(number)", session: session, id: "call-\(number)"))
        guard let id = try approver.event("event/pty_permission")["request_id"]?.stringValue else {
            throw BenchError("a card without an id")
        }
        let start = Clock.now()
        let call = try approver.decide(id, "allow")
        let output = child.readAll()
        let status = child.wait()
        let time = Clock.now() - start
        guard status == 0, output.contains("allow") else { throw BenchError("the hook was not answered") }
        _ = try approver.reply(to: call)
        return time
    }

    private func decideFloor() throws -> Nanoseconds {
        let child = try Launch(bench.programs.floor, [floorSocket]).start(pipes: true)
        child.write(HookInput.bash(session: "s", id: "c"))
        let decider = try StreamSocket.unix(floorSocket)
        // The server takes its visitors in order: the hook's request is read before this is.
        try decider.send([0x3F])
        var bytes: [UInt8] = []
        guard decider.receive(into: &bytes) else { throw BenchError("the floor's server has left") }
        let start = Clock.now()
        try decider.send([0x21])
        let output = child.readAll()
        child.wait()
        guard output.contains("allow") else { throw BenchError("the floor's hook was not answered") }
        return Clock.now() - start
    }
}
