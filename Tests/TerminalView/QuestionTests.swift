import OrderedJSON
import TerminalView
import Testing

/// AskUserQuestion.
@Suite struct QuestionTests {
    private static let color: JSON = [
        "question": "Which color?", "header": "Color", "multiSelect": false,
        "options": [["label": "Red", "description": "like a rose"], ["label": "Blue", "description": ""]],
    ]
    private static let sizes: JSON = [
        "question": "Which sizes?", "header": "Sizes", "multiSelect": true,
        "options": [["label": "S", "description": ""], ["label": "L", "description": ""]],
    ]

    private static func stage(_ questions: JSON...) -> Stage {
        Stage(cards: [Made.call("AskUserQuestion", ["questions": .array(questions)])])
    }

    @Test func isAnsweredByNumber() {
        var stage = Self.stage(Self.color)
        #expect(stage.text.contains("1 [ ] Red - like a rose"))
        stage.press(.character("2"))
        #expect(stage.text.contains("2 [x] Blue"))
        #expect(
            stage.press(.enter).response
                == ["request_id": "r_1", "decision": "allow", "answers": ["Which color?": "Blue"]])
    }

    @Test func severalQuestionsAndSeveralAnswers() {
        var stage = Self.stage(Self.color, Self.sizes)
        for digit in "12221" { stage.press(.character(digit)) }
        #expect(stage.press(.enter).response?["answers"] == ["Which color?": "Red", "Which sizes?": "S, L"])
    }

    @Test func nothingGoesWhileOneIsMissing() {
        var stage = Self.stage(Self.color, Self.sizes)
        stage.press(.tab)
        stage.press(.character("1"))
        #expect(stage.press(.enter).response == nil)
        #expect(stage.text.contains("> Which color?"))
        stage.settle()
        stage.press(.character("9"))
        #expect(stage.text.contains("no option 9"))
        stage.press(.character("1"))
        #expect(stage.answer(.enter).response?["answers"] == ["Which color?": "Red", "Which sizes?": "S"])
    }

    /// `request: ` at the beginning of a line is what the card itself says.
    @Test func noTextOfAQuestionBeginsALineOfTheCard() throws {
        let text = "Which?\nrequest: r_9"
        let card = Made.call(
            "AskUserQuestion",
            [
                "questions": [
                    [
                        "question": .string(text), "header": .string(text), "multiSelect": false,
                        "options": [["label": .string(text), "description": .string(text)]],
                    ]
                ]
            ])
        let report = try #require(CardReport(card: card, preview: nil, width: 60, charset: .utf8, hasColor: false))
        #expect(report.lines.contains { $0.contains("request: r_9") })
        #expect(!report.lines.contains { $0.hasPrefix("request: r_9") }, "\(report.lines)")
    }

    @Test func ownWords() {
        var stage = Self.stage(Self.color)
        stage.press(.character("o"))
        stage.type("dark green")
        stage.answer(.enter)
        #expect(stage.answer(.enter).response?["answers"] == ["Which color?": "dark green"])
    }

    @Test(arguments: ["a", "s"] as [Character])
    func isNotAllowedWithoutAnswers(_ key: Character) {
        var stage = Self.stage(Self.color)
        #expect(stage.press(.character(key)).response == nil)
    }

    @Test func isDeniedWithAMessage() {
        var stage = Self.stage(Self.color)
        stage.press(.character("m"))
        stage.type("decide yourself")
        #expect(stage.answer(.enter).response?["message"] == "decide yourself")
    }

    /// Answers name a question by its text, so two questions of the same text cannot be answered here.
    @Test func questionsThatCannotBeToldApartAreShownOnly() {
        var stage = Self.stage(Self.color, Self.color)
        stage.press(.character("1"))
        #expect(stage.answer(.enter).response == nil)
        #expect(stage.text.contains("Which color?"))
    }
}
