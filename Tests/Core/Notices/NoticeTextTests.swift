import Core
import OrderedJSON
import TestSupport
import Testing

@Suite struct NoticeTextTests {
    private static let deadline = Timestamp(milliseconds: 1_795_170_660_000)

    private func text(
        _ request: PermissionRequest, waiting: Int = 1, details: Bool = false, by resolver: Resolver? = nil
    ) -> NoticeText {
        let resolution = resolver.map { Resolution(decision: .deny, resolver: $0, reason: "", at: Self.deadline) }
        let subject = resolution.map { Notice.Subject.ended(request, $0) } ?? .asked(request)
        let notice = Notice(subject: subject, tag: "t", waiting: waiting, isSilent: false, expires: Self.deadline)
        return NoticeText(notice, includesDetails: details)
    }

    private func request(
        _ tool: String = "Bash", input: JSON = ["command": "touch secret"], cwd: String = "/home/u/work"
    )
        -> PermissionRequest
    {
        PermissionRequest(
            id: "r_1", toolUseID: "t", sessionID: "s", event: .preToolUse, tool: .claude(tool), input: KeptJSON(input),
            cwd: cwd,
            createdAt: Self.deadline, deadline: Self.deadline)
    }

    @Test func saysProjectAndToolAndNoMore() {
        let text = text(request())
        #expect(text.title == "work: Bash" && text.body == "waits for your answer")
        #expect(self.text(request(), waiting: 3).body == "3 waiting")
        #expect(self.text(request(cwd: "/")).title == "Claude: Bash")
        let stranger = NoticeStage.request("r_1", deadline: Self.deadline, isUnverified: true)
        #expect(self.text(stranger).title == "work: Bash (unverified)")
    }

    @Test func saysWhatWouldRunWhereItMay() {
        #expect(text(request(), details: true).body == "touch secret")
        #expect(text(request(), waiting: 2, details: true).body == "touch secret (2 waiting)")
        #expect(text(request("Write", input: ["file_path": "/a"]), details: true).body == "/a")
        #expect(text(request("X", input: []), details: true).body == "waits for your answer")
    }

    @Test func saysThatADevicesRightEnds() {
        let notice = Notice(
            subject: .deviceEnds(name: "my\u{202E}phone"), tag: "t", isSilent: false, expires: Self.deadline)
        let text = NoticeText(notice, includesDetails: false)
        #expect(text.body == "The right of my\u{FFFD}phone ends within a day; pair it again with `cdev pair`")
    }

    @Test func saysWhyItIsAskedWhereItMay() {
        var asked = request()
        asked.context.prompt = "make it\nwork"
        #expect(text(asked).body == "waits for your answer")
        #expect(text(asked, details: true).body == "touch secret\nYou asked: make it work")
        asked.context.lastWords = "I touch it.\u{202E}\n" + String(repeating: "x", count: 400)
        let body = text(asked, details: true).body
        #expect(body.hasPrefix("touch secret\nClaude Code: I touch it.\u{FFFD} xxx") && body.hasSuffix("…"))
        #expect(body.count < 240)
    }

    @Test func hostileTextStaysOneShortLine() {
        let hostile = "a\nb\u{202E}c\u{200B}d\u{7}" + String(repeating: "x", count: 20_000)
        let body = text(request(input: ["command": .string(hostile)]), details: true).body
        #expect(body.hasPrefix("a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}xxx") && body.count == 300 && body.hasSuffix("…"))
        #expect(text(request(String(repeating: "T", count: 500))).title.count < 140)
    }

    @Test(arguments: HiddenCharacterTests.hidden)
    func aHiddenCharacterIsSeenInADetail(_ scalar: Unicode.Scalar) {
        #expect(text(request(input: ["command": .string("a\(scalar)b")]), details: true).body == "a\u{FFFD}b")
    }

    /// It would have to be parsed on the loop.
    @Test func aLargeInputIsLeftToTheCard() {
        let large = JSON.string(String(repeating: "x", count: 1 << 20))
        #expect(text(request(input: ["command": large]), details: true).body == "waits for your answer")
    }

    @Test(arguments: [
        (Resolver.device(name: "phone"), "denied by phone"),
        (.link(channel: "ntfy"), "denied by a link (ntfy)"),
        (.timeout, "not answered in time"), (.terminal, "answered in terminal"),
        (.hookGone, "withdrawn: Claude no longer waits"),
    ])
    func saysHowItEnded(resolver: Resolver, words: String) {
        #expect(text(request(), by: resolver).body == words)
    }

    @Test(arguments: [
        ("Bash", false, nil as String?, [Decision.allow, .deny]), ("AskUserQuestion", false, nil, [.deny]),
        ("ExitPlanMode", false, nil, [.deny]), ("Bash", true, nil, []), ("Bash", false, "git", []),
    ])
    func linksAnswerOnlyWhatTheyMay(tool: String, isUnverified: Bool, confirm: String?, verbs: [Decision]) {
        var request = NoticeStage.request("r_1", tool: tool, deadline: Self.deadline, isUnverified: isUnverified)
        request.confirm = confirm
        let asked = Notice(subject: .asked(request), tag: "t", isSilent: false, expires: Self.deadline)
        #expect(AnswerLink.verbs(for: asked) == Set(verbs))
        let test = Notice(subject: .test, tag: "t", isSilent: false, expires: Self.deadline)
        #expect(AnswerLink.verbs(for: test).isEmpty)
    }
}
