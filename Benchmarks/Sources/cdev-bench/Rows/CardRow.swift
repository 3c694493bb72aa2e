import OrderedJSON

extension Row {
    static let card = Row(
        name: "card",
        measures: "a hook's call sent → its whole card on a phone-sized page's screen, in Chromium",
        against: "an element that the benchmark adds to an empty page of the same browser, seen the same way",
        run: { try CardRow($0).run() })
}

/// A daemon with a page of its own, and so many calls that wait all the time.
private struct CardStage {
    let daemon: DaemonProcess
    private let approver: Approver
    private let hooks: HTTPClient
    private let page: BrowserPage
    private let waiting: [StreamSocket]

    init(_ bench: Bench, _ browser: Chromium, open count: Int) throws {
        daemon = try DaemonProcess(bench)
        approver = try daemon.approver()
        hooks = try daemon.client()
        let daemon = daemon
        waiting = try (0..<count).map { number in
            let caller = try StreamSocket.unix(daemon.socket)
            try caller.send(Self.call("waiting-\(number)", 0xE000_0000_0000 + number))
            return caller
        }
        for _ in 0..<count { _ = try approver.event("event/pty_permission") }
        guard let link = try daemon.client().call("pair/start", ["name": "bench"])["url"]?.stringValue else {
            throw BenchError("no link to pair by")
        }
        page = try BrowserPage(browser, link)
        try page.run(BrowserScript.tidied(open: count))
    }

    private static func call(_ text: String, _ number: Int) -> [UInt8] {
        let body = HookInput.bash("touch \(text)", session: "page", id: text, bytes: 400)
        return HTTPText.post("/hooks/claude", body, fields: HTTPText.relayFields(number))
    }

    /// One call, until the page says that what `sign` finds is seen; then it is answered and gone.
    func sample(_ number: Int, sign: (String) -> String) throws -> Nanoseconds {
        let text = "card-\(number)-"
        try page.run(#"cdevBench.watch("\#(text)", \#(sign(text)))"#)
        CardRow.waitPartOfFrame(number)
        let time = try Clock.time {
            try hooks.socket.send(Self.call(text, number))
            try page.seen(text)
        }
        guard let id = try approver.event("event/pty_permission")["request_id"]?.stringValue else {
            throw BenchError("a card without an id")
        }
        _ = try approver.reply(to: try approver.decide(id, "deny"))
        _ = try hooks.response()
        try page.run(BrowserScript.tidied(open: waiting.count))
        return time
    }
}

private struct CardRow {
    let bench: Bench
    let browser: Chromium
    private static let many = 50

    init(_ bench: Bench) throws {
        self.bench = bench
        browser = try Chromium(bench)
    }

    func run() throws -> Findings {
        defer { browser.stop() }
        let alone = try CardStage(bench, browser, open: 0)
        let crowded = try CardStage(bench, browser, open: Self.many)
        let bare = try BrowserPage(browser, "data:text/html,<!doctype html><title>floor</title>")
        var number = 0
        let counted = { (sample: @escaping (Int) throws -> Nanoseconds) in
            {
                number += 1
                return try sample(number)
            }
        }
        let samples = try Interleaving.run(
            rounds: bench.rounds(200),
            [
                Variant("card", counted { try alone.sample($0, sign: BrowserScript.card) }),
                Variant(
                    "number", counted { try crowded.sample($0) { _ in BrowserScript.badge(Self.many + 1) } }),
                Variant("floor", counted { try floor(bare, $0) }),
            ])
        for stage in [alone, crowded] { stage.daemon.stop() }
        return findings(samples)
    }

    private func findings(_ samples: [Samples]) -> Findings {
        var findings = Findings()
        findings.add("hook sent → card seen, none other open", samples[0], in: .milliseconds)
        findings.add("hook sent → number seen, \(Self.many) others open", samples[1], in: .milliseconds)
        findings.add("floor: element added → seen, empty page", samples[2], in: .milliseconds)
        let floor = samples[2].median
        findings.check("card: median above the floor's", (samples[0].median - floor) / 1e6, .none, .milliseconds)
        findings.check("number: median above the floor's", (samples[1].median - floor) / 1e6, .none, .milliseconds)
        findings.notes.append(
            "behind \(Self.many) others a new card is on the second page: what is seen of it is the number at the tab")
        return findings
    }

    private func floor(_ page: BrowserPage, _ number: Int) throws -> Nanoseconds {
        let name = "floor-\(number)"
        try page.run(#"cdevBench.watch("\#(name)", () => [...document.querySelectorAll("p")])"#)
        Self.waitPartOfFrame(number)
        let time = try Clock.time {
            try page.run(#"document.body.appendChild(document.createElement("p")).textContent = "seen""#)
            try page.seen(name)
        }
        try page.run("document.body.replaceChildren()")
        return time
    }

    /// The page was left at the beginning of a frame; a hook comes at any time of one.
    static func waitPartOfFrame(_ number: Int) {
        Clock.sleep(milliseconds: number * 7 % 17)
    }
}
