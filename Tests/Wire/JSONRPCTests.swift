import OrderedJSON
import Testing
import Wire

@Suite struct JSONRPCTests {
    private func entries(_ text: String) -> [JSONRPC.Entry] { JSONRPC.decode(Array(text.utf8)).entries }

    private func answer(_ text: String) -> String? {
        let payload = JSONRPC.decode(Array(text.utf8))
        let responses = payload.entries.compactMap { entry -> JSONRPCResponse? in
            switch entry {
            case .answer: nil
            case .invalid(let response): response
            case .call(let call): call.id.map { JSONRPCResponse(id: $0, result: .string(call.method)) }
            }
        }
        return payload.encode(responses.map { $0.serialized() }).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func readsARequest() {
        let text = #"{"jsonrpc":"2.0","id":7,"method":"m","params":{"b":1,"a":2}}"#
        let call = JSONRPCMessage(id: .number(JSONNumber(7)), method: "m", params: ["b": 1, "a": 2])
        #expect(entries(text) == [.call(call)])
        #expect(!call.isNotification)
        #expect(String(decoding: call.serialized(), as: UTF8.self) == text)
    }

    @Test(arguments: [#""params":null,"#, ""])
    func readsANotification(params: String) {
        let call = JSONRPCMessage(method: "initialized")
        #expect(entries(#"{"jsonrpc":"2.0",\#(params)"method":"initialized"}"#) == [.call(call)])
        #expect(call.isNotification)
    }

    /// The other side answers what we called.
    @Test(arguments: [
        (#"{"jsonrpc":"2.0","result":1,"id":1}"#, JSONRPCResponse(id: .number(JSONNumber(1)), result: 1)),
        (
            #"{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"},"id":"a"}"#,
            JSONRPCResponse(id: .string("a"), error: .methodNotFound("no"))
        ),
    ])
    func readsAnAnswer(text: String, answer: JSONRPCResponse) {
        #expect(entries(text) == [.answer(answer)])
    }

    @Test(arguments: ["1", "-0", "1.50", "1e3", "123456789012345678901234567890", #""""#, #""a\n""#, "null"])
    func anIdGoesBackAsItCame(id: String) {
        #expect(
            answer(#"{"jsonrpc":"2.0","method":"m","id":\#(id)}"#) == #"{"jsonrpc":"2.0","id":\#(id),"result":"m"}"#)
    }

    @Test(arguments: [
        ("", -32700, "null"), ("{", -32700, "null"), (#"{"jsonrpc":"2.0","method"}"#, -32700, "null"),
        ("[1", -32700, "null"), ("[]", -32600, "null"), ("1", -32600, "null"), (#""x""#, -32600, "null"),
        ("null", -32600, "null"), ("{}", -32600, "null"),
        (#"{"method":"m","id":1}"#, -32600, "1"), (#"{"jsonrpc":"1.0","method":"m","id":"x"}"#, -32600, #""x""#),
        (#"{"jsonrpc":2.0,"method":"m","id":1}"#, -32600, "1"), (#"{"jsonrpc":"2.0","id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":1,"id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":"m","params":"x","id":1}"#, -32600, "1"),
        (#"{"jsonrpc":"2.0","method":"m","params":0}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","method":"m","id":{}}"#, -32600, "null"),
        (#"{"jsonrpc":"2.0","method":"m","id":true}"#, -32600, "null"),
    ])
    func refuses(text: String, code: Int, id: String) throws {
        let response = try JSON(parsing: try #require(answer(text)))
        #expect(response["error"]?["code"]?.intValue == code)
        #expect(response["error"]?["message"]?.stringValue?.isEmpty == false)
        #expect(response["id"]?.serialized() == id)
        #expect(response["result"] == nil)
    }

    @Test func refusesALetterWithManyMarks() throws {
        let text = "a" + String(repeating: "\u{0315}\u{0300}", count: 20_000)
        for member in [
            #""method":"\#(text)""#, #""method":"m","params":{"\#(text)":1}"#, #""method":"m","x":"\#(text)""#,
        ] {
            let refused = try #require(answer(#"{"jsonrpc":"2.0","id":1,\#(member)}"#))
            #expect(refused.contains("-32600") && refused.contains("more than 32 marks"))
        }
    }

    @Test func answersABatchAsABatch() {
        let batch =
            #"[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","method":"c","id":"2"}]"#
        #expect(answer(batch) == #"[{"jsonrpc":"2.0","id":1,"result":"a"},{"jsonrpc":"2.0","id":"2","result":"c"}]"#)
        #expect(JSONRPC.decode(Array(batch.utf8)).entries.count == 3)
    }

    @Test func refusesALongBatchAsAWhole() throws {
        let batch = { (count: Int) in JSONRPC.decode(.array(Array(repeating: 1, count: count))) }
        #expect(batch(1000).entries.count == 1000)
        #expect(batch(1001).entries.count == 1 && !batch(1001).isBatch)
    }

    @Test func answersTheBadMembersOfABatchToo() throws {
        let response = try JSON(parsing: try #require(answer(#"[1,{"jsonrpc":"2.0","method":"a","id":1},[]]"#)))
        let codes = response.arrayValue?.map { $0["error"]?["code"]?.intValue }
        #expect(codes == [-32600, nil, -32600])
    }

    @Test(arguments: [#"{"jsonrpc":"2.0","method":"a"}"#, #"[{"jsonrpc":"2.0","method":"a"}]"#])
    func saysNothingToNotifications(text: String) {
        #expect(answer(text) == nil)
    }

    @Test func refusesNestingBeyondTheCeiling() {
        let text = #"{"jsonrpc":"2.0","method":"m","params":[[[]]]}"#
        guard case .call = JSONRPC.decode(Array(text.utf8), depth: 4).entries.first else {
            Issue.record("refused at the ceiling")
            return
        }
        guard case .invalid(let response) = JSONRPC.decode(Array(text.utf8), depth: 3).entries.first,
            case .failure(let error) = response.outcome
        else {
            Issue.record("accepted beyond the ceiling")
            return
        }
        #expect(error.code == -32700)
    }

    @Test func writesErrorsWithAndWithoutData() {
        let plain = JSONRPCResponse(id: .number(JSONNumber(1)), error: .methodNotFound("no"))
        #expect(plain.json.serialized() == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#)
        let full = JSONRPCResponse(id: .null, error: .internalError("late", data: ["at": 1]))
        #expect(
            full.json.serialized()
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"late","data":{"at":1}}}"#)
        #expect(JSONRPCError.invalidParams("").code == -32602)
    }

    @Test func writesNotifications() {
        #expect(
            String(decoding: JSONRPC.notification("event/heartbeat", ["n": 1]), as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"event/heartbeat","params":{"n":1}}"#)
        #expect(JSONRPC.notification("x") == Array(#"{"jsonrpc":"2.0","method":"x"}"#.utf8))
    }

    @Test func aClientReadsWhatAServerWrote() {
        let responses = [
            JSONRPCResponse(id: .string("a"), result: .null),
            JSONRPCResponse(id: .number(JSONNumber(1)), error: .invalidParams("send request_id", data: [1])),
        ]
        for response in responses { #expect(JSONRPCResponse(response.json) == response) }
        #expect(JSONRPCResponse(["jsonrpc": "2.0", "method": "event/x"]) == nil)
        #expect(JSONRPCResponse(["jsonrpc": "2.0", "id": 1, "result": 1, "error": ["code": 1, "message": ""]]) == nil)
        #expect(JSONRPCResponse(["jsonrpc": "2.0", "id": 1, "error": "x"]) == nil)
    }
}
