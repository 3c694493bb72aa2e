import Agents
import Core
import Glibc
import TestSupport
import Testing

/// Lines as Claude Code 2.1.329 writes them, shortened.
@Suite struct ClaudeTranscriptTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    static let session = "ae21a8dc-2a18-4b6f-955a-1284cc6aadf9"

    private static func line(_ type: String, _ rest: String, session: String = session) -> String {
        #"{"type":"\#(type)","sessionId":"\#(session)",\#(rest)}"# + "\n"
    }

    private static func prompt(_ text: String, _ more: String = #""isSidechain":false"#) -> String {
        line("user", #"\#(more),"message":{"role":"user","content":"\#(text)"}"#)
    }

    private static func text(_ text: String, isSidechain: Bool = false, session: String = session) -> String {
        line(
            "assistant",
            #""isSidechain":\#(isSidechain),"message":{"role":"assistant","content":[{"type":"text","text":"\#(text)"}]}"#,
            session: session)
    }

    private static func call(_ id: String, isSidechain: Bool = false) -> String {
        line(
            "assistant",
            #""isSidechain":\#(isSidechain),"message":{"content":[{"type":"tool_use","id":"\#(id)","name":"Bash","input":{}}]}"#
        )
    }

    private static func result(_ id: String) -> String {
        line("user", #""isSidechain":false,"message":{"content":[{"type":"tool_result","tool_use_id":"\#(id)"}]}"#)
    }

    private static let title = line("custom-title", #""customTitle":"my title""#)

    static let ends: [(lines: [String], words: String?, title: String?)] = [
        ([], nil, nil),
        ([prompt("go"), text("I make x."), call("t1")], "I make x.", nil),
        // Two calls of one message.
        ([prompt("go"), text("Both."), call("t0"), call("t1")], "Both.", nil),
        ([prompt("go"), text("First."), call("t0"), result("t0"), call("t1")], "First.", nil),
        ([prompt("go"), text("First."), call("t0"), result("t0"), text("Second."), call("t1")], "Second.", nil),
        // Words of an earlier turn are no reason.
        ([text("Done."), prompt("again"), call("t1")], nil, nil),
        ([text("Before."), prompt("a reminder", #""isMeta":true"#), call("t1")], "Before.", nil),
        ([title, prompt("go"), text("I make x."), call("t1")], "I make x.", "my title"),
        ([title, line("custom-title", #""customTitle":"later""#), call("t1")], nil, "later"),
        ([line("ai-title", #""aiTitle":"guessed""#), call("t1")], nil, "guessed"),
        // Other sessions, subagents, and what is no transcript.
        ([text("Not mine.", session: "s2"), call("t1")], nil, nil),
        ([text("Of a subagent.", isSidechain: true), call("t1")], nil, nil),
        (["{", "[]\n", "null\n", "\u{0}\u{1}\n", text("Mine."), "not JSON\n", call("t1")], "Mine.", nil),
        (
            [
                line("assistant", #""message":7"#), line("assistant", #""message":{"content":[7,{"type":"text"}]}"#),
                call("t1"),
            ],
            nil, nil
        ),
        // Larger than what is read: only its end counts.
        ([text("Old."), String(repeating: result("t0"), count: 4000), call("t1")], nil, nil),
        ([String(repeating: result("t0"), count: 4000), text("New."), call("t1")], "New.", nil),
        ([text("Mine."), result(String(repeating: "x", count: 70_000)), call("t1")], "Mine.", nil),
        ([text(#"a\u202eb"#), call("t1")], "a\u{FFFD}b", nil),
        (
            [text(String(repeating: "x", count: 9000) + "!"), call("t1")],
            "…" + String(repeating: "x", count: 498) + "!", nil
        ),
    ]

    @Test(arguments: ends) func readsTheEnd(lines: [String], words: String?, title: String?) throws {
        try directory.write(lines.joined(), to: "\(Self.session).jsonl")
        #expect(end() == TranscriptEnd(title: title, lastWords: words))
    }

    @Test func aSubagentHasWordsOfItsOwn() throws {
        try directory.write(Self.text("Main.") + Self.call("t1"), to: "\(Self.session).jsonl")
        _ = shell("mkdir -p '\(directory(Self.session))/subagents'")
        try directory.write(
            Self.text("Sub.", isSidechain: true) + Self.call("t1", isSidechain: true),
            to: "\(Self.session)/subagents/agent-a1.jsonl")
        #expect(end(agent: "a1")?.lastWords == "Sub.")
        #expect(end(agent: "a2") == nil)
        // Each would lead to the main transcript.
        for agent in ["", "../../x/../\(Self.session)", "a1/../../../\(Self.session)", "a1\u{0}"] {
            #expect(end(agent: agent) == nil)
        }
    }

    /// A hook names the path, so it can be any.
    @Test(.timeLimit(.minutes(1))) func anythingElseIsNotRead() throws {
        let whole = Self.text("Mine.") + Self.call("t1")
        try directory.write(whole, to: "other.jsonl")
        #expect(end("other.jsonl") == nil)
        #expect(end("missing/\(Self.session).jsonl") == nil)
        for (name, make) in [
            ("link", "ln -s '\(directory("other.jsonl"))'"), ("pipe", "mkfifo"), ("directory", "mkdir"),
            ("device", "ln -s /dev/zero"),
        ] {
            _ = shell("mkdir '\(directory(name))'; \(make) '\(directory(name))/\(Self.session).jsonl'")
            #expect(end("\(name)/\(Self.session).jsonl") == nil)
        }
        #expect(ClaudeTranscript.end(for: query("\(Self.session).jsonl")) == nil)
    }

    /// The client writes the call some milliseconds after its hook has started.
    @Test func waitsAMomentForTheCall() throws {
        let name = "\(Self.session).jsonl"
        try directory.write(Self.prompt("go"), to: name)
        var waits = 0
        let end = ClaudeTranscript.end(for: query(directory(name))) {
            waits += 1
            if waits == 2 { try? directory.write(Self.prompt("go") + Self.text("Now.") + Self.call("t1"), to: name) }
        }
        #expect(end?.lastWords == "Now." && waits == 2)
    }

    /// At a session's first call the client makes the file, a tenth of a second after its hook has started.
    @Test func waitsForAFileThatIsYetToCome() throws {
        let name = "\(Self.session).jsonl"
        var waits = 0
        let end = ClaudeTranscript.end(for: query(directory(name))) {
            waits += 1
            if waits == 8 { try? directory.write(Self.text("Now.") + Self.call("t1"), to: name) }
        }
        #expect(end?.lastWords == "Now." && waits == 8)
    }

    private func end(_ name: String = "\(session).jsonl", agent: String? = nil) -> TranscriptEnd? {
        ClaudeTranscript.end(for: query(directory(name), agent: agent))
    }

    private func query(_ path: String, agent: String? = nil) -> TranscriptQuery {
        TranscriptQuery(path: path, sessionID: Self.session, agentID: agent, toolUseID: "t1")
    }
}
