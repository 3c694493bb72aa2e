import Core
import Dialects
import OrderedJSON
import Testing

/// Each call reaches an editor once: when it begins, or when it is whole.
@Suite struct ACPCallsTests {
    private var calls = ACPCalls()

    private func message(_ ids: String...) -> TranscriptMessage {
        let blocks = ids.map { id -> JSON in ["type": "tool_use", "id": .string(id), "name": "Bash", "input": [:]] }
        return TranscriptMessage(
            kind: .assistant, flags: [], uuid: ids.joined(), parent: nil, time: nil, branch: nil, agentID: nil,
            message: ["content": .array([["type": "text", "text": "x"]] + blocks)])
    }

    @Test mutating func aCallThatBeganIsOnlyBroughtToItsEnd() {
        #expect(calls.begin("a") == true)
        #expect(calls.begin("a") == false)
        #expect(calls.take(message("a", "b")) == ["a"])
        #expect(calls.begun.isEmpty && calls.breakOff().isEmpty)
    }

    /// The transcript told of it first.
    @Test mutating func aCallThatIsWholeDoesNotBegin() {
        #expect(calls.take(message("a")).isEmpty)
        #expect(calls.begin("a") == false)
        #expect(calls.breakOff().isEmpty)
    }

    @Test mutating func aCallThatWasBrokenOffIsOver() {
        #expect(calls.begin("a") == true)
        #expect(calls.breakOff() == ["a"])
        #expect(calls.breakOff().isEmpty)
        #expect(calls.begin("a") == false)
        // Should it come after all, it is shown once.
        #expect(calls.take(message("a")) == ["a"])
    }

    @Test mutating func theCallThatTheAgentIsAtIsNotBrokenOff() {
        #expect(calls.begin("a") == true)
        #expect(calls.begin("b") == true)
        #expect(calls.breakOff(but: "b") == ["a"])
        #expect(calls.begun == ["b"] && calls.take(message("b")) == ["b"])
    }

    @Test mutating func whatIsKeptIsBounded() {
        for index in 0..<1000 {
            #expect(calls.begin("\(index)") == true)
            #expect(calls.take(message("\(index)")) == ["\(index)"])
        }
        #expect(calls.begin("999") == false)
        #expect(calls.begin("600") == false)
        #expect(calls.begin("599") == true)
    }
}
