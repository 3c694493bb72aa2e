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
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by device phone", update: nil)])
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
    fileprivate var confirmed: Int { results.values.flatMap { $0 }.count { (try? $0.get()) != nil } }
}
