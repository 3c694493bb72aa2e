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

    /// Small in bytes, but each value takes memory once it is parsed: fifteen megabytes of these took a gigabyte.
    private func values(_ uuid: String, _ count: Int) -> String {
        let list = Array(repeating: "[]", count: count).joined(separator: ",")
        return #"{"type":"user","message":{"role":"user","content":[\#(list)]},"uuid":"\#(uuid)","#
            + #""timestamp":"2026-11-25T10:00:00Z","sessionId":"s1"}"# + "\n"
    }

    private func messages(_ lines: [String]) throws -> [TranscriptMessage] {
        try directory.write(lines.joined(), to: "projects/-p/s1.jsonl")
        var offset: Int64 = 0
        let places = lines.enumerated().map { index, line in
            defer { offset += Int64(line.utf8.count) }
            return TranscriptPlace(number: Int64(index + 1), offset: offset, length: line.utf8.count - 1)
        }
        return transcripts.messages(places, of: directory("projects/-p/s1.jsonl"))
    }

    @Test func aLineOfTooManyValuesIsLeftOut() throws {
        let line = values("many", 200_000)
        let found = try messages([prompt("1", "one"), line, prompt("3", "three")])
        #expect(found.map(\.number) == [1, 2, 3] && found.map(\.uuid) == ["1", "many", "3"])
        #expect(found.map(\.leftOut) == [nil, line.utf8.count - 1, nil])
        #expect(found[1].message == ["role": "user", "content": []])
        #expect(found[1].time?.rfc3339 == "2026-11-25T10:00:00Z", "what is behind its content counts")
    }

    /// A picture is one value, however long.
    @Test func aLongLineOfFewValuesIsRead() throws {
        let found = try messages([prompt("1", String(repeating: "iVBOR,[{:", count: 500_000))])
        #expect(found.first?.leftOut == nil && found.first?.message["content"]?.stringValue?.utf8.count == 4_500_000)
    }

    @Test func aPageEndsWhereItsValuesAreTooMany() throws {
        let lines = (1...6).map { values("\($0)", 90_000) }
        let found = try messages(lines)
        #expect(found.map(\.uuid) == ["1", "2"])
        #expect(found.allSatisfy { $0.leftOut == nil })
    }

    /// A file of which nearly all is a hole has no end of a line for a terabyte.
    @Test(.timeLimit(.minutes(1))) func aLineWithoutAnEndIsNotLookedThrough() throws {
        let first = prompt("1", "one")
        try directory.write(first, to: "projects/-p/s1.jsonl")
        let path = directory("projects/-p/s1.jsonl")
        _ = shell("truncate -s 1T '\(path)'")
        let part = try #require(transcripts.part(of: path, from: 0, limit: 1 << 20))
        #expect(part.lines.map(\.line.uuid) == ["1"] && !part.isLast)
        let rest = try #require(transcripts.part(of: path, from: part.end, limit: 1 << 20))
        #expect(rest.lines.isEmpty && rest.end == part.end && rest.isLast)
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
