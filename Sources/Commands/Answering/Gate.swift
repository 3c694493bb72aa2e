import Core
import OrderedJSON

extension Command {
    static let gate = Command(
        "gate", operands: "SESSION [GATE]", 1...2, summary: "show or set what is held of one session",
        details: """
            SESSION is an id as `cdev sessions` shows it, or its beginning. GATE is always (ask me about everything
            there, in auto mode too), auto, prompt or tool-call as in the configuration, or default: as configured.
            """,
        options: [.json]
    ) { invocation in
        let client = try Places(invocation).client
        let typed = invocation.operands[0]
        guard let session = try SessionChoice.find(typed, client) else {
            throw CommandFailure(.other, "no session has the id \(typed.shown(60)); `cdev sessions` lists them")
        }
        guard let name = invocation.operands.dropFirst().first else { return show(invocation, session) }
        let gate = try wanted(name, invocation)
        let id = session.text("session_id")
        let result = try client.call("session/gate", ["session_id": .string(id), "gate": gate])
        if invocation.wantsJSON { return Terminal.write(ListOutput.json(result.objectValue ?? [:])) }
        try show(invocation, SessionChoice.find(id, client) ?? session)
    }

    private static func wanted(_ name: String, _ invocation: Invocation) throws(CommandFailure) -> JSON {
        let names = Policy.Gate.allCases.map(\.rawValue) + ["default"]
        guard names.contains(name) else {
            throw CommandFailure.usage(
                "GATE is one of \(names.joined(separator: ", ")), not `\(name.shown(40))`", invocation.command,
                meant: Nearest.word(name, among: names))
        }
        return name == "default" ? .null : .string(name)
    }

    private static func show(_ invocation: Invocation, _ session: JSON) {
        if invocation.wantsJSON {
            let names = ["session_id", "gate", "gate_own", "permission_mode", "mode_note"]
            return Terminal.write(ListOutput.json(JSONObject(names.map { ($0, session[$0] ?? .null) })))
        }
        let gate = session.text("gate").isEmpty ? "as configured" : session.text("gate").shown(20)
        let own = session["gate_own"]?.boolValue == true ? ", for this session" : ""
        let note = session.text("mode_note").isEmpty ? "" : "\n\(session.text("mode_note").shown(400))"
        Terminal.write("\(String(SessionChoice.ownID(session).shown(40).prefix(8))): gate \(gate)\(own)\(note)\n")
    }
}
