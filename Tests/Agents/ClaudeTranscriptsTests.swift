import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// Files of transcripts: which are found, and which of their lines.
@Suite struct ClaudeTranscriptsTests {
    private let directory: TemporaryDirectory
    private var transcripts: ClaudeTranscripts { ClaudeTranscripts(directory: directory.path) }

    init() throws {
        directory = try TemporaryDirectory()
        _ = shell("mkdir -p '\(directory.path)/projects/-p/s1/subagents' '\(directory.path)/projects/-q'")
    }

    private func prompt(_ uuid: String, _ text: String) -> String {
        #"{"type":"user","uuid":"\#(uuid)","message":{"role":"user","content":"\#(text)"},"sessionId":"s1"}"# + "\n"
    }

    @Test func filesOfSessionsAndSubagentsAreFound() throws {
        for name in ["-p/s1.jsonl", "-p/s1/subagents/agent-a.jsonl", "-q/s2.jsonl"] {
            try directory.write(prompt("u", "x"), to: "projects/" + name)
        }
        for name in ["-p/notes.txt", "-p/s 3.jsonl", "-p/s1/subagents/other.jsonl", "top.jsonl"] {
            try directory.write("x", to: "projects/" + name)
        }
        _ = shell(
            "cd '\(directory.path)/projects/-p' && ln -s s1.jsonl link.jsonl && mkfifo pipe.jsonl && mkdir d.jsonl")
        let found = transcripts.files().map { "\($0.sessionID) \($0.agentID ?? "-")" }
        #expect(found.sorted() == ["s1 -", "s1 a", "s2 -"])
        #expect(transcripts.files(of: "s1").map(\.agentID) == [nil, "a"])
        #expect(transcripts.files(of: "../-p/s1").isEmpty)
        #expect(transcripts.files(of: "").isEmpty)
    }

    @Test func aHalfWrittenLineIsReadTheNextTime() throws {
        let path = directory("projects/-p/s1.jsonl")
        let (first, second) = (prompt("1", "one"), prompt("2", "two"))
        try directory.write(first + second.dropLast(20), to: "projects/-p/s1.jsonl")
        let part = try #require(transcripts.part(of: path, from: 0, limit: 1 << 20))
        #expect(part.lines.map(\.line.uuid) == ["1"] && part.end == Int64(first.utf8.count) && part.isLast)
        try directory.write(first + second, to: "projects/-p/s1.jsonl")
        let rest = try #require(transcripts.part(of: path, from: part.end, limit: 1 << 20))
        #expect(rest.lines.map(\.line.uuid) == ["2"])
        #expect(rest.lines.first?.offset == part.end)
    }

    /// Whatever the size of the parts, the lines are the same.
    @Test(arguments: [200, 1000, 5000, 1 << 20]) func partsAreJoined(_ limit: Int) throws {
        let path = directory("projects/-p/s1.jsonl")
        let long = prompt("long", String(repeating: "x", count: 3000))
        let text =
            (1...40).map { prompt("\($0)", "text \($0)") }.joined() + long + "garbage\n\n\r\n" + prompt("end", "")
        try directory.write(text, to: "projects/-p/s1.jsonl")
        var found: [String] = []
        var offset: Int64 = 0
        while let part = transcripts.part(of: path, from: offset, limit: limit) {
            found += part.lines.map { $0.line.uuid ?? "" }
            offset = part.end
            if part.isLast { break }
        }
        #expect(found == (1...40).map(String.init) + ["long", "end"])
        #expect(offset == Int64(text.utf8.count))
    }

    @Test func messagesAreReadByTheirPlaces() throws {
        let path = directory("projects/-p/s1.jsonl")
        let first = prompt("1", "one")
        try directory.write(first + "nonsense\n", to: "projects/-p/s1.jsonl")
        let places = [
            TranscriptPlace(number: 1, offset: 0, length: first.utf8.count - 1),
            TranscriptPlace(number: 2, offset: Int64(first.utf8.count), length: 8),
            TranscriptPlace(number: 3, offset: 9999, length: 8),
        ]
        let messages = transcripts.messages(places, of: path)
        #expect(messages.map(\.number) == [1])
        #expect(messages.first?.message == ["role": "user", "content": "one"])
        #expect(transcripts.messages(places, of: directory("projects/-p/none.jsonl")).isEmpty)
    }

    @Test func aLineThatIsTooLongIsLeftOut() throws {
        let place = TranscriptPlace(number: 1, offset: 0, length: 17 << 20)
        try directory.write(prompt("1", String(repeating: "x", count: 100_000)), to: "projects/-p/s1.jsonl")
        let message = try #require(transcripts.messages([place], of: directory("projects/-p/s1.jsonl")).first)
        #expect(message.leftOut == 17 << 20 && message.number == 1)
        #expect(message.message == ["role": "user", "content": []])
    }

    @Test func aSubagentIsJoinedToItsCall() throws {
        try directory.write(
            #"{"agentType":"Explore","description":"look","toolUseId":"toolu_1"}"#,
            to: "projects/-p/s1/subagents/agent-a.meta.json")
        let path = directory("projects/-p/s1/subagents/agent-a.jsonl")
        #expect(
            transcripts.note(ofSubagent: path)
                == SubagentNote(toolUseID: "toolu_1", type: "Explore", summary: "look"))
        #expect(transcripts.note(ofSubagent: directory("projects/-p/s1/subagents/agent-b.jsonl")) == nil)
    }
}
