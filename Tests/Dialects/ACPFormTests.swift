import Core
import Dialects
import OrderedJSON
import Testing

/// Questions of the agent as a form in an editor.
@Suite struct ACPFormTests {
    private func request(_ questions: JSON, tool: String = "AskUserQuestion") -> PermissionRequest {
        heldRequest(tool: tool, input: ["questions": questions])
    }

    private static let bird: JSON = [
        "question": "Which bird?", "header": "Bird",
        "options": [["label": "heron", "description": "grey"], ["label": "stork"]],
    ]
    private static let food: JSON = [
        "question": "What else?", "multiSelect": true, "options": [["label": "fish"], ["label": "frog"]],
    ]

    @Test func eachQuestionIsAField() throws {
        let form = try #require(ACPForm(request([Self.bird, Self.food])))
        #expect(form.params["mode"] == "form" && form.params["message"] == "Which bird?\nWhat else?")
        #expect(
            form.params["requestedSchema"] == [
                "type": "object",
                "properties": [
                    "question_0": [
                        "description": "Which bird?", "title": "Bird", "type": "string",
                        "oneOf": [
                            ["const": "heron", "title": "heron", "description": "grey"],
                            ["const": "stork", "title": "stork"],
                        ],
                    ],
                    "question_1": [
                        "description": "What else?", "title": "What else?", "type": "array", "minItems": 1,
                        "items": ["anyOf": [["const": "fish", "title": "fish"], ["const": "frog", "title": "frog"]]],
                    ],
                ],
                "required": ["question_0", "question_1"],
            ])
    }

    @Test func whatIsFilledInIsAnAnswer() throws {
        let form = try #require(ACPForm(request([Self.bird, Self.food])))
        #expect(
            form.answers(["question_0": "stork", "question_1": ["fish", "frog"], "more": 1])
                == ["Which bird?": "stork", "What else?": "fish, frog"])
    }

    @Test(
        arguments: [
            nil, 7, [:], ["question_0": "stork"], ["question_0": "crane", "question_1": ["fish"]],
            ["question_0": ["stork"], "question_1": ["fish"]], ["question_0": "stork", "question_1": "fish"],
            ["question_0": "stork", "question_1": []], ["question_0": "stork", "question_1": ["fish", 7]],
        ] as [JSON])
    func whatIsFilledInOtherwiseIsNone(_ content: JSON) throws {
        let form = try #require(ACPForm(request([Self.bird, Self.food])))
        #expect(form.answers(content) == nil)
    }

    /// They are answered by another client.
    @Test func questionsWithoutChoicesAreNoForm() {
        #expect(ACPForm(request([])) == nil)
        #expect(ACPForm(request("x")) == nil)
        #expect(ACPForm(request([Self.bird, ["question": "Why?", "options": []]])) == nil)
        #expect(ACPForm(request([Self.bird], tool: "Bash")) == nil)
    }
}
