import OrderedJSON
import TerminalView

extension Command {
    static let answer = Command(
        "answer", operands: "ID [ANSWER…]", 1...100, summary: "answer the questions of a form that Claude shows",
        details: """
            One ANSWER for each question, in order: the number of an option, numbers such as 1,3 where several may be
            chosen, or your own words (=3 for the word 3). Without answers the questions are asked at a terminal.
            """
    ) { invocation in
        let client = try Places(invocation).client
        let card = try OpenRequest.card(invocation.operands[0], client)
        let given = Array(invocation.operands.dropFirst())
        let id = card.text("request_id")
        guard let form = FormAnswers(card: card) else {
            let short = ShortID.text(id, among: [])
            throw CommandFailure(
                .usage,
                "this call asks no questions that can be answered here; see `cdev show \(short)`, or `cdev allow`")
        }
        let answers = try given.isEmpty ? asked(form, card, client, invocation) : chosen(form, given)
        var params: JSONObject = ["request_id": .string(id), "decision": "allow", "answers": answers]
        if let opening = card["opening"] { params["opening"] = opening }
        if let word = try AnswerQuestions.word(card, nil) { params["confirm"] = .string(word) }
        _ = try client.call("permission/respond", .object(params))
        let lines = (answers.objectValue ?? [:]).map { question, answer in
            "  \(question.shown(100)) → \((answer.stringValue ?? "").shown(200))\n"
        }
        Terminal.write("\(ShortID.text(id, among: [])) answered:\n\(lines.joined())")
    }

    private static func chosen(_ form: FormAnswers, _ given: [String]) throws(CommandFailure) -> JSON {
        guard given.count == form.questions.count else {
            let texts = form.questions.map { "\"\($0.shown(60))\"" }.joined(separator: ", ")
            throw CommandFailure(
                .usage, "\(form.questions.count) answers are needed, not \(given.count): one for each of \(texts)")
        }
        var form = form
        for (index, answer) in given.enumerated() {
            guard form.answer(index, answer) else {
                throw CommandFailure(
                    .usage,
                    "\"\(answer.shown(60))\" is no answer to \"\(form.questions[index].shown(60))\": its options "
                        + "are \(form.options(index).shown(300))")
            }
        }
        return form.answers
    }

    /// Shows the whole form and asks each question at the terminal.
    static func asked(
        _ form: FormAnswers, _ card: JSON, _ client: DaemonClient, _ invocation: Invocation
    ) throws(CommandFailure) -> JSON {
        guard OpenRequest.canAsk else {
            let short = ShortID.text(card.text("request_id"), among: [])
            throw CommandFailure(
                .usage, "say the answers: `cdev answer \(short) ANSWER…`; `cdev show \(short)` shows the questions")
        }
        Terminal.write(try OpenRequest.text(of: card, client, invocation.environment) + "\n")
        var form = form
        for index in form.questions.indices {
            while true {
                Terminal.write("\(form.questions[index].shown(200)): ")
                guard let line = readLine() else {
                    throw CommandFailure(.refused, "nothing done: the request is open as before")
                }
                if form.answer(index, line) { break }
                Terminal.write("  one of \(form.options(index).shown(400)), or your own words\n")
            }
        }
        return form.answers
    }
}
