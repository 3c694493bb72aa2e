import Core
import OrderedJSON
import Testing

/// A list of answers is worked off at once, so it may not have megabytes parsed meanwhile.
@Suite struct ListedAnswerTests {
    private static let limit = 64 << 10

    private func isRefused(_ result: Result<PermissionReceipt, ResponseFailure>) -> Bool {
        guard case .failure(.invalid(let why)) = result else { return false }
        return why.contains("by itself")
    }

    /// Each is compared with each that the card offers.
    @Test func aListOfPatternsIsNoLongerThanTheCards() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        let offered = stage.pending[0].patterns
        #expect(throws: ResponseFailure.self) {
            try stage.respond("r_1", .allow, .session, patterns: Array(repeating: offered[0], count: 2))?.get()
        }
        #expect(stage.pending.count == 1)
    }

    /// Nothing decides the question, so each of its answers would have it parsed.
    @Test func wrongAnswersToALargeQuestionAreFew() throws {
        var stage = Stage()
        let text = String(repeating: "x", count: 30 << 10)
        stage.send(
            .tool(
                .permissionRequest, "AskUserQuestion", ["questions": [["question": "which?"]], "text": .string(text)]))
        let wrong = PermissionResponse(target: .request(id: "r_1"), decision: .allow, answers: ["who?": "I"])
        let results = stage.respond(Array(repeating: wrong, count: 1000)) ?? []
        #expect(results.count == 1000 && results.count { !isRefused($0) } == 2)
        #expect(try stage.respond("r_1", .allow, answers: ["which?": "this"])?.get().decision == .allow)
        let late = PermissionResponse(target: .request(id: "r_1"), decision: .allow, answers: ["which?": "this"])
        let again = stage.respond(Array(repeating: late, count: 10)) ?? []
        #expect(again.count { (try? $0.get()) != nil } == 2 && again.count { isRefused($0) } == 8)
    }

    @Test func largeChangedInputsAreFew() throws {
        var stage = Stage()
        stage.send(.bash("touch x"))
        let change: JSON = ["command": .string(String(repeating: "x", count: 30 << 10))]
        let wrong = PermissionResponse(
            target: .request(id: "r_1"), decision: .allow, patterns: ["none"], updatedInput: change)
        let results = stage.respond(Array(repeating: wrong, count: 300)) ?? []
        #expect(results.count == 300 && results.count { !isRefused($0) } == 2)
        #expect(try stage.respond("r_1", .allow, updatedInput: change)?.get().decision == .allow)
    }

    @Test func ordinaryAnswersAreAsManyAsTheListHas() {
        var stage = Stage()
        let question: JSON = [
            "questions": [["question": "which?"]], "text": .string(String(repeating: "x", count: 2000)),
        ]
        for _ in 0..<Policy.heldPerSession {
            stage.send(.tool(.permissionRequest, "AskUserQuestion", question, prompt: nil))
        }
        let cards = stage.pending
        #expect(cards.count * 2000 > Self.limit)
        let answers = cards.map {
            PermissionResponse(target: .request(id: $0.id), decision: .allow, answers: ["which?": "this"])
        }
        let results = stage.respond(answers) ?? []
        #expect(results.allSatisfy { (try? $0.get()) != nil })
    }
}
