import Core
import OrderedJSON

/// The questions of a call that asks the user, and the answers chosen so far.
struct AnswerForm: Sendable, Hashable {
    struct Question: Sendable, Hashable {
        let text: String
        let header: String
        let options: [Option]
        let isMultiple: Bool
        var chosen: Set<Int> = []
        /// An answer that the person typed.
        var own: String?
    }

    struct Option: Sendable, Hashable {
        let label: String
        let description: String
    }

    private(set) var questions: [Question]
    private(set) var current = 0

    /// `nil` if the call asks no questions, or two with the same text, which an answer could not tell apart.
    init?(_ card: Card) {
        let tool = card.tool
        guard tool.kind == .question else { return nil }
        questions = tool.list(.questions, in: card.input).map { question in
            Question(
                text: tool.text(.question, in: question), header: tool.text(.header, in: question),
                options: tool.list(.options, in: question).map {
                    Option(label: tool.text(.label, in: $0), description: tool.text(.meaning, in: $0))
                },
                isMultiple: tool.value(.multiple, in: question)?.boolValue ?? false)
        }
        guard !questions.isEmpty, Set(questions.map(\.text)).count == questions.count else { return nil }
    }

    /// Chooses an option of the current question by its number, from 1; where several may be chosen, a second time
    /// takes the choice back. False if no option has this number.
    mutating func choose(_ number: Int) -> Bool {
        guard questions[current].options.indices.contains(number - 1) else { return false }
        if !questions[current].isMultiple {
            questions[current].chosen = [number - 1]
            questions[current].own = nil
            move(1)
        } else if questions[current].chosen.remove(number - 1) == nil {
            questions[current].chosen.insert(number - 1)
        }
        return true
    }

    mutating func answer(inOwnWords text: String) {
        questions[current].own = text.isEmpty ? nil : text
        if !questions[current].isMultiple { questions[current].chosen = [] }
    }

    /// Moves to another question, at most to the first or last.
    mutating func move(_ step: Int) {
        current = min(max(current + step, 0), questions.count - 1)
    }

    /// Makes the first question without an answer the current one; false if all have answers.
    mutating func goToMissing() -> Bool {
        guard let index = questions.firstIndex(where: { $0.answer == nil }) else { return false }
        current = index
        return true
    }

    /// The answers as `permission/respond` takes them; `nil` while a question has no answer.
    var answers: JSON? {
        var members = JSONObject()
        for question in questions {
            guard let answer = question.answer else { return nil }
            members[question.text] = .string(answer)
        }
        return .object(members)
    }

    func write(to page: inout Document) {
        for (index, question) in questions.enumerated() {
            // Under a mark no line of the question begins where those of the card do.
            let mark = questions.count > 1 ? (index == current ? "> " : "  ") : "? "
            page.say(mark, question.text, index == current ? .bold : .plain)
            for (number, option) in question.options.enumerated() {
                let box = question.chosen.contains(number) ? "[x]" : "[ ]"
                let text = option.description.isEmpty ? option.label : option.label + " - " + option.description
                page.say("  \(number + 1) \(box) ", text)
            }
            page.say("  o \(question.own == nil ? "[ ]" : "[x]") ", question.own ?? "(in your own words)")
            if question.isMultiple { page.say("      ", "any number of them", .dim) }
        }
    }
}

extension AnswerForm.Question {
    /// The chosen labels and the typed answer, joined to one string as Claude's own dialog does; `nil` if there are
    /// none.
    var answer: String? {
        let words = chosen.sorted().map { options[$0].label } + (own.map { [$0] } ?? [])
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
