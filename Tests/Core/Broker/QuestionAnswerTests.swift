import Core
import OrderedJSON
import TestSupport
import Testing

/// The answers to a call's questions, each under its question's text.
@Suite struct QuestionAnswerTests {
    @Test func answersAreFoundByTheBytesOfTheirQuestions() {
        let (composed, decomposed) = ("caf\u{e9}?", "cafe\u{301}?")
        #expect(BrokerState.flaw(in: [composed: "yes"], to: [composed]) == nil)
        let flaw = BrokerState.flaw(in: [decomposed: "yes", composed: "yes"], to: [composed])
        #expect(flaw?.hasSuffix("must be one of the questions asked, with a string") == true)
        let both: JSONObject = [composed: "yes", decomposed: "no"]
        #expect(BrokerState.flaw(in: both, to: [composed, decomposed]) == nil)
    }

    /// Compared each with each, thirty times as many questions take nine hundred times as long.
    @Test func manyQuestionsTakeLinearTime() {
        let few = check(questions: 1000)
        #expect(check(questions: 30_000) < 150 * few)
    }

    /// Seconds of processor time that the check of the answers to so many questions takes.
    private func check(questions count: Int) -> Double {
        let questions = (0..<count).map { "\u{301}\u{323}\($0)" }
        let answers = JSONObject(distinct: questions.map { ($0, "a") })
        return ProcessorTime.of {
            #expect(BrokerState.flaw(in: answers, to: questions) == nil)
            #expect(BrokerState.flaw(in: answers, to: questions + ["more"])?.contains("not answered") == true)
        }
    }
}
