import Core
import OrderedJSON
import Testing

/// An answer that is given twice is confirmed twice only where both say the same.
@Suite struct RepeatedAnswerTests {
    private static let question: JSON = [
        "questions": [["question": "which?", "options": [["label": "a"], ["label": "b"]]]]
    ]

    @Test(arguments: [true, false]) func anotherInputIsNoRepetition(_ isWritten: Bool) {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.commitsAtOnce = isWritten
        stage.respond("r_1", .allow)
        #expect(throws: ResponseFailure.self) {
            try stage.respond("r_1", .allow, updatedInput: ["command": "touch safe"])?.get()
        }
        stage.settleCommits()
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", update: nil)])
        #expect(stage.confirmed == 1)
    }

    @Test(arguments: [true, false]) func theCallAsItIsRepeatsNoChangedOne(_ isWritten: Bool) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = isWritten
        stage.respond("r_1", .allow, updatedInput: ["command": "touch y"])
        stage.respond("r_1", .allow)
        stage.respond("r_1", .allow, updatedInput: ["command": "touch y"])
        stage.settleCommits()
        #expect(stage.confirmed == 2)
    }

    @Test(arguments: [true, false]) func otherAnswersToAQuestionAreNoRepetition(_ isWritten: Bool) {
        var stage = Stage()
        stage.send(.tool(.permissionRequest, "AskUserQuestion", Self.question))
        stage.commitsAtOnce = isWritten
        stage.respond("r_1", .allow, answers: ["which?": "a"])
        stage.respond("r_1", .allow, answers: ["which?": "b"])
        stage.respond("r_1", .allow, answers: ["which?": "a"])
        stage.settleCommits()
        #expect(stage.confirmed == 2)
    }

    /// Its rules are over, by a revocation or with the session: what was given is the deny of one call.
    @Test(arguments: [true, false], [Decision.allow, .deny])
    func aRepetitionSaysWhatIsStillInForce(_ isRevoked: Bool, _ decision: Decision) throws {
        var stage = Stage()
        stage.send(.bash("touch x"))
        let first = try stage.repeated(decision)
        #expect(first.scope == .session && first.rules.count == 1)
        let again = try stage.repeated(decision)
        #expect(again.scope == .session && again.rules == first.rules)
        if isRevoked {
            stage.revoke(rule: first.rules[0].id)
        } else {
            stage.send(.turn(.sessionEnd))
            stage.send(.turn(.sessionStart))
        }
        let last = try stage.repeated(decision)
        #expect(last.scope == .once && last.rules.isEmpty && last.decision == decision)
    }

    @Test(arguments: [true, false]) func anotherMessageIsNoRepetition(_ isWritten: Bool) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = isWritten
        stage.respond("r_1", .deny, message: "not now")
        stage.respond("r_1", .deny, message: "use y instead")
        stage.respond("r_1", .deny, message: "not now")
        stage.respond("r_1", .deny)
        stage.settleCommits()
        #expect(stage.confirmed == 3)
    }
}

extension Stage {
    fileprivate mutating func repeated(_ decision: Decision) throws -> PermissionReceipt {
        let result = respond("r_1", decision, .session)
        return try #require(result).get()
    }

    fileprivate var confirmed: Int { results.values.flatMap { $0 }.count { (try? $0.get()) != nil } }
}
