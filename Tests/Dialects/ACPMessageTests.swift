import Agents
import Core
import Dialects
import OrderedJSON
import Testing

/// Messages and questions as an editor gets them.
@Suite struct ACPMessageTests {
    private func message(
        _ content: JSON, _ kind: TranscriptLine.Kind = .assistant, flags: TranscriptLine.Flags = [],
        change: FileDifference? = nil
    ) -> TranscriptMessage {
        let tools = ["Bash", "Edit", "Read", "Write"].map { ($0, Tool.claude($0)) }
        return TranscriptMessage(
            kind: kind, flags: flags, uuid: "u", parent: nil, time: nil, branch: nil, agentID: nil,
            message: ["content": content], tools: Dictionary(uniqueKeysWithValues: tools), change: change)
    }

    private func updates(_ message: TranscriptMessage, but streamed: [ChildDelta.Kind: Int] = [:]) -> [JSON] {
        ACPMessage.updates(of: message, in: "/p", but: streamed).map { .object($0) }
    }

    @Test func callsTellWhatTheyDo() {
        let told = updates(
            message([
                [
                    "type": "tool_use", "id": "t1", "name": "Bash",
                    "input": ["command": "ls -l", "description": "list"],
                ],
                [
                    "type": "tool_use", "id": "t2", "name": "Edit",
                    "input": ["file_path": "/p/a", "old_string": "x", "new_string": "y"],
                ],
                ["type": "tool_use", "id": "t3", "name": "Read", "input": ["file_path": "b"]],
                ["type": "tool_use", "id": "t4", "name": "Write", "input": ["file_path": "/p/c", "content": "z\n"]],
                ["type": "tool_use", "id": "t5", "name": "Odd", "input": [:]],
            ]))
        #expect(told.map { $0["sessionUpdate"] } == Array(repeating: "tool_call", count: 5))
        #expect(told.map { $0["kind"] } == ["execute", "edit", "read", "edit", "other"])
        #expect(told.map { $0["toolCallId"] } == ["t1", "t2", "t3", "t4", "t5"])
        #expect(told[0]["title"] == "ls -l" && told[0]["locations"] == nil)
        #expect(told[1]["content"] == [["type": "diff", "path": "/p/a", "oldText": "x", "newText": "y"]])
        #expect(told[2]["locations"] == [["path": "/p/b"]])
        #expect(told[3]["content"] == [["type": "diff", "path": "/p/c", "oldText": nil, "newText": "z\n"]])
    }

    @Test func aCallThatBeganIsBroughtUpToDate() {
        let whole = message([
            ["type": "tool_use", "id": "a", "name": "Bash", "input": ["command": "ls"]],
            ["type": "tool_use", "id": "b", "name": "Bash", "input": ["command": "ls"]],
        ])
        let told = ACPMessage.updates(of: whole, in: "/p", begun: ["b"])
        #expect(told.map { $0["sessionUpdate"] } == ["tool_call", "tool_call_update"])
        #expect(told.map { $0["title"] } == ["ls", "ls"] && told[1]["rawInput"] == ["command": "ls"])
    }

    @Test(
        arguments: [
            (12, 12), (1, 1), (2_147_483_647, 2_147_483_647), (0, nil), (-3, nil), (2_147_483_648, nil), ("7", nil),
            (1.5, nil), (nil, nil),
        ] as [(JSON, JSON?)])
    func whatIsReadHasItsLine(_ offset: JSON, _ line: JSON?) {
        let input: JSON = ["file_path": "/p/b", "offset": offset, "limit": 5]
        let told = updates(message([["type": "tool_use", "id": "t", "name": "Read", "input": input]]))
        var location: JSONObject = ["path": "/p/b"]
        location["line"] = line
        #expect(told.first?["locations"] == [.object(location)])
    }

    /// What the agent asked for may not be what happened: the change is told as it was made.
    @Test func anEndTellsTheExactChange() {
        let hunk = LineDiff.Hunk(
            oldStart: 1, newStart: 1,
            lines: [
                LineDiff.Line(.kept, "a"), LineDiff.Line(.removed, "b"),
                LineDiff.Line(.added, "c", isTerminated: false),
            ])
        let result: JSON = [["type": "tool_result", "tool_use_id": "t", "content": "The file was changed."]]
        let told = updates(
            message(result, .user, change: FileDifference(path: "/p/a", lines: LineDiff(hunks: [hunk]))))
        #expect(
            told == [
                [
                    "sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "completed",
                    "content": [["type": "diff", "path": "/p/a", "oldText": "a\nb\n", "newText": "a\nc"]],
                ]
            ])
    }

    @Test func aFailedCallTellsWhatItSaid() {
        let told = updates(
            message([["type": "tool_result", "tool_use_id": "t", "content": "no such file", "is_error": true]], .user))
        #expect(told.first?["status"] == "failed")
        #expect(told.first?["content"] == [["type": "content", "content": ["type": "text", "text": "no such file"]]])
    }

    /// The beginning was sent in pieces.
    @Test func onlyTheRestOfAMessageIsTold() {
        let whole = message([["type": "text", "text": "Hällo you"]])
        #expect(updates(whole, but: [.text: 6]).first?["content"]?["text"] == " you")
        #expect(updates(whole, but: [.text: 10]).isEmpty)
        #expect(updates(whole, but: [.thinking: 3]).first?["content"]?["text"] == "Hällo you")
    }

    @Test func whatIsNotForPeopleIsNotTold() {
        #expect(updates(message("for itself", .user, flags: .meta)).isEmpty)
        #expect(updates(message([["type": "text", "text": "subagent"]], flags: .sidechain)).isEmpty)
        #expect(updates(message("<local-command-stdout>Set</local-command-stdout>", .user)).isEmpty)
        let command = "<command-name>/model</command-name><command-args>sonnet</command-args>"
        #expect(updates(message(.string(command), .user)).first?["content"]?["text"] == "/model sonnet")
    }

    @Test func aWordIsNotSkippedInAnEditor() {
        var request = heldRequest(patterns: ["Bash(npm test:*)"])
        request.root = "/p"
        #expect(request.editorOptions.map(\.id) == ["allow_once", "allow_session", "reject_once"])
        #expect(request.editorOptions[1].name.contains("`npm test …`"), "its pattern is shown")
        let remembered = request.editorOptions[1].response(to: request)
        #expect(remembered.scope == .session && remembered.opening == request.opening)
        request.patterns = []
        #expect(request.editorOptions.map(\.id) == ["allow_once", "reject_once"])
        request.confirm = "npm"
        #expect(request.editorOptions.map(\.id) == ["reject_once"])
    }
}
