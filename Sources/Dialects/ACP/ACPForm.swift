package import Core
package import OrderedJSON

/// Questions of the agent as a form, for an editor that shows forms: one field for each question, with its choices.
package struct ACPForm: Sendable {
    fileprivate struct Field: Sendable {
        let question: String
        let header: String
        let isMany: Bool
        let choices: [(label: String, meaning: String)]
    }

    private let fields: [Field]

    /// `nil` for a call that is no question, and for questions without choices.
    package init?(_ request: PermissionRequest) {
        guard request.tool.kind == .question else { return nil }
        let tool = request.tool
        fields = tool.list(.questions, in: request.toolInput).map { question in
            Field(
                question: tool.text(.question, in: question), header: tool.text(.header, in: question),
                isMany: tool.value(.multiple, in: question) == true,
                choices: tool.list(.options, in: question).map {
                    (tool.text(.label, in: $0), tool.text(.meaning, in: $0))
                })
        }
        guard !fields.isEmpty, fields.allSatisfy({ !$0.choices.isEmpty }) else { return nil }
    }

    /// The members of the request that tell what is asked.
    package var params: JSONObject {
        let names = fields.indices.map(Self.name)
        let properties = zip(names, fields).map { ($0, $1.schema) }
        return [
            "mode": "form", "message": .string(fields.map(\.question).joined(separator: "\n")),
            "requestedSchema": [
                "type": "object", "properties": .object(JSONObject(properties)),
                "required": .array(names.map(JSON.string)),
            ],
        ]
    }

    private static func name(_ index: Int) -> String { "question_\(index)" }

    /// The answers as the agent takes them, by its questions' texts; `nil` where a field has none of its choices.
    package func answers(_ content: JSON?) -> JSON? {
        var answers: JSONObject = [:]
        for (index, field) in fields.enumerated() {
            guard let answer = field.answer(content?[Self.name(index)]) else { return nil }
            answers[field.question] = .string(answer)
        }
        return .object(answers)
    }
}

extension ACPForm.Field {
    fileprivate var schema: JSON {
        var schema: JSONObject = ["description": .string(question)]
        schema["title"] = .string(header.isEmpty ? question : header)
        let options = choices.map { choice -> JSON in
            var option: JSONObject = ["const": .string(choice.label), "title": .string(choice.label)]
            if !choice.meaning.isEmpty { option["description"] = .string(choice.meaning) }
            return .object(option)
        }
        schema["type"] = isMany ? "array" : "string"
        if isMany {
            schema["minItems"] = 1
            schema["items"] = ["anyOf": .array(options)]
        } else {
            schema["oneOf"] = .array(options)
        }
        return .object(schema)
    }

    fileprivate func answer(_ value: JSON?) -> String? {
        let labels = isMany ? value?.arrayValue?.map(\.stringValue) ?? [] : [value?.stringValue]
        let known = labels.compactMap { label in choices.first { $0.label == label }?.label }
        // In the form in which Claude Code's own dialog answers.
        return known.isEmpty || known.count != labels.count ? nil : known.joined(separator: ", ")
    }
}
