import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// What lines of Claude Code's transcripts say of tools.
@Suite struct ClaudeToolLineTests {
    private func message(_ line: JSON) throws -> TranscriptMessage {
        let directory = try TemporaryDirectory()
        _ = shell("mkdir -p '\(directory.path)/projects/-p'")
        let text = line.serialized()
        try directory.write(text + "\n", to: "projects/-p/s.jsonl")
        let place = TranscriptPlace(number: 1, offset: 0, length: text.utf8.count)
        let transcripts = ClaudeTranscripts(directory: directory.path)
        return try #require(transcripts.messages([place], of: directory("projects/-p/s.jsonl")).first)
    }

    private func result(_ told: JSON, blocks: Int = 1) throws -> TranscriptMessage {
        let block: JSON = ["type": "tool_result", "tool_use_id": "t", "content": "ok"]
        return try message([
            "type": "user", "uuid": "u",
            "message": ["role": "user", "content": .array(Array(repeating: block, count: blocks))],
            "toolUseResult": told,
        ])
    }

    @Test func toolsAreLookedUp() throws {
        let content: JSON = [
            ["type": "text", "text": "x"], ["type": "tool_use", "id": "1", "name": "Bash", "input": [:]],
            ["type": "tool_use", "id": "2", "name": "mcp__lab__echo", "input": [:]], ["type": "tool_use"], 7,
        ]
        let found = try message([
            "type": "assistant", "uuid": "u", "message": ["role": "assistant", "content": content],
        ])
        #expect(found.tools == ["Bash": .claude("Bash"), "mcp__lab__echo": .claude("mcp__lab__echo")])
        #expect(found.message["content"] == content)
        #expect(try result("text").tools.isEmpty)
    }

    @Test func aChangeIsRead() throws {
        let lines: JSON = [" a", "-b", "\\ No newline at end of file", "+\u{301}c", "+"]
        let change = try result([
            "filePath": "/p/f", "structuredPatch": [["oldStart": 3, "newStart": 4, "oldLines": 2, "lines": lines]],
        ]).change
        #expect(change?.path == "/p/f" && change?.lines.added == 2 && change?.lines.removed == 1)
        let hunk = LineDiff.Hunk(
            oldStart: 3, newStart: 4,
            lines: [
                .init(.kept, "a"), .init(.removed, "b", isTerminated: false), .init(.added, "\u{301}c"),
                .init(.added, ""),
            ])
        #expect(change?.lines.hunks == [hunk])
    }

    /// A form that is not known shows no change, never half of one.
    @Test(
        arguments: [
            "text", ["filePath": "/p/f"], ["filePath": "/p/f", "structuredPatch": []],
            ["structuredPatch": [["oldStart": 1, "newStart": 1, "lines": ["+a"]]]],
            ["filePath": "/p/f", "structuredPatch": [["oldStart": 1, "newStart": 1, "lines": ["?a"]]]],
            ["filePath": "/p/f", "structuredPatch": [["oldStart": 1, "newStart": 1, "lines": ["\\ x"]]]],
            ["filePath": "/p/f", "structuredPatch": [["oldStart": 1, "newStart": 1, "lines": [""]]]],
            [
                "filePath": "/p/f",
                "structuredPatch": [["oldStart": 1, "newStart": 1, "lines": ["+a"]], ["oldStart": 9]],
            ],
        ] as [JSON])
    func anotherFormIsNone(_ told: JSON) throws {
        #expect(try result(told).change == nil)
    }

    @Test func aChangeBelongsToOneResult() throws {
        let told: JSON = [
            "filePath": "/p/f", "structuredPatch": [["oldStart": 1, "newStart": 1, "lines": ["+a"]]],
        ]
        #expect(try result(told).change != nil)
        #expect(try result(told, blocks: 2).change == nil)
    }
}
