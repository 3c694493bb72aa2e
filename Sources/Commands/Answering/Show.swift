import OrderedJSON

extension Command {
    static let show = Command(
        "show", operands: "ID", 1...1, summary: "show all of a request: script, diff, plan or form",
        details: """
            ID is a request id as `cdev pending` shows it, or the beginning of one. At a terminal that has too few rows
            it is shown by $PAGER or less.
            """,
        options: [.json]
    ) { invocation in
        let client = try Places(invocation).client
        let card = try OpenRequest.card(invocation.operands[0], client)
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(card.objectValue ?? [:])) }
        Pager.write(try OpenRequest.text(of: card, client, invocation.environment), invocation.environment)
    }
}
