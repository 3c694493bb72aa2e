import Commands
import OrderedJSON
import Testing

/// What an editor is told when the daemon goes, and the daemon when it is back.
@Suite struct EditorTalkTests {
    private func line(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func texts(_ lines: [[UInt8]]) -> [String] { lines.map { String(decoding: $0, as: UTF8.self) } }

    private func talk() -> EditorTalk {
        var talk = EditorTalk()
        _ = talk.fromEditor(
            line(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#), isConnected: true)
        _ = talk.fromDaemon(#"{"jsonrpc":"2.0","id":0,"result":{}}"#)
        _ = talk.fromEditor(
            line(#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/p"}}"#), isConnected: true)
        _ = talk.fromDaemon(#"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#)
        return talk
    }

    @Test func whatIsOpenIsAnsweredWhenTheDaemonGoes() throws {
        var talk = talk()
        #expect(
            talk.fromEditor(line(#"{"jsonrpc":"2.0","id":"p","method":"session/prompt"}"#), isConnected: true) == .send)
        let question = #"{"jsonrpc":"2.0","id":"q-1","method":"session/request_permission"}"#
        #expect(talk.fromDaemon(question) == line(question))
        let told = texts(talk.lost())
        #expect(told.count == 2)
        #expect(told[0] == #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"q-1"}}"#)
        #expect(told[1].hasPrefix(#"{"jsonrpc":"2.0","id":"p","error":{"code":-32603,"#))
        #expect(talk.lost().isEmpty, "each is told once")
        let refused = talk.fromEditor(line(#"{"jsonrpc":"2.0","id":3,"method":"session/list"}"#), isConnected: false)
        #expect(try code(refused) == -32603)
    }

    @Test func sessionsGoOnOnceItIsBack() throws {
        var talk = talk()
        _ = talk.lost()
        let lines = try talk.back().map { try JSON(parsing: $0) }
        #expect(lines.map { $0["method"] } == ["initialize", "session/resume"])
        #expect(lines[0]["params"] == ["protocolVersion": 1])
        #expect(
            lines[1]["params"] == [
                "sessionId": "s", "cwd": "/p", "mcpServers": [], "_meta": ["cdev": ["message": nil]],
            ])
        let prompt = line(#"{"jsonrpc":"2.0","id":4,"method":"session/prompt"}"#)
        #expect(talk.fromEditor(prompt, isConnected: true) == .hold)
        for sent in lines {
            #expect(talk.released().isEmpty)
            let answer: JSON = ["jsonrpc": "2.0", "id": sent["id"] ?? .null, "result": [:]]
            #expect(talk.fromDaemon(answer.serialized()) == nil, "the editor did not ask")
        }
        #expect(talk.released() == [prompt])
    }

    /// What was sent is not sent again, and nothing is left out.
    @Test func sessionsGoOnBehindWhatWasTold() throws {
        var talk = talk()
        func tell(_ update: String) {
            _ = talk.fromDaemon(
                #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#)
        }
        tell(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"before"}}"#)
        tell(
            #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","_meta":{"cdev":{"message":"u1"}}}"#)
        tell(#"{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}"#)
        tell(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hä"}}"#)
        tell(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"llo"}}"#)
        _ = talk.lost()
        let resumed = try JSON(parsing: try #require(talk.back().last))
        #expect(resumed["params"]?["_meta"] == ["cdev": ["message": "u1", "thinking": 2, "text": 6]])
    }

    /// A call that was shown when the agent began to write it is not shown again.
    @Test func sessionsGoOnBehindACallThatBegan() throws {
        var talk = talk()
        func seen(behind update: String) throws -> JSON? {
            _ = talk.fromDaemon(
                #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#)
            var copy = talk
            _ = copy.lost()
            return try JSON(parsing: try #require(copy.back().last))["params"]?["_meta"]?["cdev"]
        }
        #expect(
            try seen(behind: #"{"sessionUpdate":"tool_call","toolCallId":"t"}"#) == ["message": nil, "calls": ["t"]])
        let other = #"{"sessionUpdate":"tool_call","toolCallId":"o","_meta":{"cdev":{"message":"u1"}}}"#
        #expect(try seen(behind: other) == ["message": "u1", "calls": ["t"]])
        let whole = #"{"sessionUpdate":"tool_call_update","toolCallId":"t","_meta":{"cdev":{"message":"u2"}}}"#
        #expect(try seen(behind: whole) == ["message": "u2"])
    }

    @Test(arguments: ["close", "delete"])
    func aSessionThatIsOverIsNotOpenedAgain(_ how: String) {
        var talk = talk()
        _ = talk.fromEditor(
            line(#"{"jsonrpc":"2.0","id":2,"method":"session/\#(how)","params":{"sessionId":"s"}}"#), isConnected: true)
        _ = talk.lost()
        #expect(talk.back().count == 1)
    }

    @Test(arguments: ["garbage", "[", #"{"a":}"#])
    func garbageIsAnsweredWithoutADaemonToo(_ text: String) throws {
        var talk = EditorTalk()
        #expect(talk.fromEditor(line(text), isConnected: true) == .send, "the daemon says what is wrong")
        #expect(try code(talk.fromEditor(line(text), isConnected: false)) == -32700)
    }

    private func code(_ step: EditorTalk.Step) throws -> JSON? {
        guard case .answer(let bytes) = step else { return nil }
        return try JSON(parsing: bytes)["error"]?["code"]
    }
}
