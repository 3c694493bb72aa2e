import Core
import OrderedJSON
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

    /// Compared each with each, these would be ten thousand million comparisons.
    @Test(.timeLimit(.minutes(1))) func manyQuestionsTakeLinearTime() {
        let questions = (0..<100_000).map { "\u{301}\u{323}\($0)" }
        let answers = JSONObject(distinct: questions.map { ($0, "a") })
        #expect(BrokerState.flaw(in: answers, to: questions) == nil)
        #expect(BrokerState.flaw(in: answers, to: questions + ["more"])?.contains("not answered") == true)
    }
}
