package import Core
package import OrderedJSON
import Services

/// Shows the agent's questions as choices in the editor.
extension ACPSession {
    /// The first answer counts, wherever it is given. What asks for a word, or for more than one choice, is answered by
    /// another client; here it can only be refused.
    func ask(_ request: PermissionRequest) {
        guard caller.may(.decide), let id = callID() else { return }
        let isAsked = state.withLock { state in
            if state.questions[request.id] == nil { state.questions[request.id] = id }
            return state.questions[request.id] != id
        }
        if isAsked { return }
        update(ACPToolCall.change(request.toolUseID, to: .pending))
        if let form = showsForms ? ACPForm(request) : nil {
            var params = form.params
            params["sessionId"] = .id(sessionID)
            params["toolCallId"] = .id(request.toolUseID)
            ask("elicitation/create", .object(params), as: id) { [weak self] in self?.answered(request, form, $0) }
        } else {
            let call = ACPToolCall.members(of: request.tool, request.toolInput, request.toolUseID, in: directory)
            let params = spelling.question(about: call, request.editorOptions.map(\.json), in: sessionID)
            ask("session/request_permission", params, as: id) { [weak self] in self?.answered(request, $0) }
        }
        // It was answered elsewhere in between.
        if state.withLock({ $0.questions[request.id] != id }) { takeBack(id) }
    }

    /// Asks about a request that was open a moment ago.
    func askAgain(_ request: PermissionRequest) async {
        ask(request)
        if await parts.permissions.request(id: request.id)?.isOpen != true { drop(request) }
    }

    private func drop(_ request: PermissionRequest) {
        let asked = state.withLock { $0.questions.removeValue(forKey: request.id) }
        if let asked { takeBack(asked) }
    }

    /// Somebody has answered, or nobody needs to any more.
    func ended(_ request: PermissionRequest, _ resolution: Resolution) {
        drop(request)
        guard resolution.decision == .allow else { return }
        update(ACPToolCall.change(request.toolUseID, to: .inProgress))
    }

    /// - Parameter answer: `nil` where the editor does not know how to ask.
    private func answered(_ request: PermissionRequest, _ answer: JSON?) {
        guard let choice = answer.flatMap(spelling.choice),
            let option = request.editorOptions.first(where: { $0.id == choice })
        else { return }
        respond(option.response(to: request), to: request)
    }

    /// A form that is put away, or filled in otherwise than it was asked, leaves the question to others.
    private func answered(_ request: PermissionRequest, _ form: ACPForm, _ answer: JSON?) {
        let target = PermissionResponse.Target.request(id: request.id)
        switch answer?["action"]?.stringValue {
        case "accept":
            guard let answers = form.answers(answer?["content"]) else { return }
            respond(
                PermissionResponse(target: target, decision: .allow, opening: request.opening, answers: answers),
                to: request)
        case "decline":
            respond(PermissionResponse(target: target, decision: .deny, opening: request.opening), to: request)
        default: break
        }
    }

    private func respond(_ response: PermissionResponse, to request: PermissionRequest) {
        Task {
            let result = await parts.permissions.respond([response], by: caller).first
            guard case .failure? = result else { return }
            _ = state.withLock { $0.questions.removeValue(forKey: request.id) }
            if await parts.permissions.request(id: request.id)?.isOpen == true { await askAgain(request) }
        }
    }
}

/// One of the answers that an editor offers.
package struct ACPOption: Sendable {
    package enum Meaning: Sendable {
        case allow(Scope)
        /// The label of one of the choices of a question.
        case choice(question: String, label: String)
        case deny
    }

    package let id: String
    package let name: String
    package let meaning: Meaning

    package var json: JSON {
        let kind =
            switch meaning {
            case .allow(.session): "allow_always"
            case .allow, .choice: "allow_once"
            case .deny: "reject_once"
            }
        return ["optionId": .string(id), "name": .string(name), "kind": .string(kind)]
    }

    package func response(to request: PermissionRequest) -> PermissionResponse {
        let target = PermissionResponse.Target.request(id: request.id)
        return switch meaning {
        case .allow(let scope):
            PermissionResponse(target: target, decision: .allow, opening: request.opening, scope: scope)
        case .choice(let question, let label):
            PermissionResponse(
                target: target, decision: .allow, opening: request.opening,
                answers: .object(JSONObject([(question, .string(label))])))
        case .deny: PermissionResponse(target: target, decision: .deny, opening: request.opening)
        }
    }
}

extension PermissionRequest {
    /// The answers that an editor offers to it.
    package var editorOptions: [ACPOption] {
        switch tool.kind {
        case .question: choices + [ACPOption(id: "reject_once", name: "Do not answer", meaning: .deny)]
        default: allows + [ACPOption(id: "reject_once", name: "Reject", meaning: .deny)]
        }
    }

    private var allows: [ACPOption] {
        guard confirm == nil else { return [] }
        let once = ACPOption(id: "allow_once", name: "Allow once", meaning: .allow(.once))
        guard let words = scopeWords else { return [once] }
        return [once, ACPOption(id: "allow_session", name: "Allow \(words)", meaning: .allow(.session))]
    }

    /// Those of the only question of a call, of which one is meant to be taken.
    private var choices: [ACPOption] {
        let questions = tool.list(.questions, in: toolInput)
        guard questions.count == 1, let only = questions.first, tool.value(.multiple, in: only) != true else {
            return []
        }
        let question = tool.text(.question, in: only)
        return tool.list(.options, in: only).enumerated().map { index, option in
            let label = tool.text(.label, in: option)
            return ACPOption(id: "choice_\(index)", name: label, meaning: .choice(question: question, label: label))
        }
    }
}
