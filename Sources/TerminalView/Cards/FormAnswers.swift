package import OrderedJSON

/// The answers to a form's questions, given one after the other as a line of text each.
package struct FormAnswers: Sendable {
    private let form: AnswerForm
    private var given: [String?]

    /// `nil` if the call asks no questions, or two with the same text.
    package init?(card json: JSON) {
        guard let card = Card(json), !card.isCut, let form = AnswerForm(card) else { return nil }
        self.form = form
        given = form.questions.map { _ in nil }
    }

    package var questions: [String] { form.questions.map(\.text) }

    /// The options of a question with their numbers, on one line.
    package func options(_ index: Int) -> String {
        form.questions[index].options.enumerated().map { "\($0 + 1) \($1.label)" }.joined(separator: ", ")
    }

    /// Takes an answer: numbers of options, or own words. False if it is empty or has a number that no option has.
    package mutating func answer(_ index: Int, _ line: String) -> Bool {
        let question = form.questions[index]
        if line.hasPrefix("="), line.count > 1 {
            given[index] = String(line.dropFirst())
            return true
        }
        let words = line.split(separator: ",").map { $0.drop { $0 == " " } }
        let numbers = words.compactMap { Int($0) }
        guard !words.isEmpty, numbers.count == words.count else {
            given[index] = line.isEmpty ? nil : line
            return !line.isEmpty
        }
        let isFew = question.isMultiple ? Set(numbers).count == numbers.count : numbers.count == 1
        guard isFew, numbers.allSatisfy({ question.options.indices.contains($0 - 1) }) else { return false }
        given[index] = numbers.sorted().map { question.options[$0 - 1].label }.joined(separator: ", ")
        return true
    }

    /// As `permission/respond` takes them.
    package var answers: JSON {
        .object(JSONObject(zip(form.questions, given).map { ($0.text, $1.map { .string($0) } ?? .null) }))
    }
}
