package import Core
import OrderedJSON
import Platform

/// Reads the lines that Claude Code prints with `--output-format stream-json` (2.1.330). A line of an unknown type, and one
/// that is no JSON, means nothing: newer versions print more.
package struct ClaudeStream: Sendable {
    /// Bytes of a line; pictures are shown back whole.
    package static let longestLine = 32 << 20

    /// The conversation, as the last line told.
    private(set) var agentID: String
    /// The directories of the last calls, by their ids. A command may leave the one in which the turn began.
    private var directories: [String: String] = [:]
    private var calls: [String] = []
    /// That of the only call that is read.
    private var known: String?
    private(set) var mode: PermissionMode
    /// Tokens that the last answer of the model left in the context.
    private var contextTokens: Int?

    /// Keys and values of a line that is parsed. Each takes up to a hundred times its byte.
    private static let mostValues = 100_000

    package init(agentID: String, mode: PermissionMode) {
        self.agentID = agentID
        self.mode = mode
    }

    /// The directory that a call runs in, as Claude Code told before the call; `""` where it told none, and then no rule
    /// allows the call.
    func directory(of call: String?) -> String { known ?? call.flatMap { directories[$0] } ?? "" }

    /// Reads a question again whose call runs in a directory that earlier lines told.
    package func question(_ bytes: [UInt8], in directory: String) -> ChildEvent {
        var copy = self
        copy.known = directory
        return copy.read(bytes).event
    }

    /// Returns what a line means, and what people are shown of the line.
    package mutating func read(_ bytes: [UInt8]) -> (event: ChildEvent, output: ChildOutput?) {
        guard LineScanner.values(in: bytes, upTo: Self.mostValues + 1) <= Self.mostValues else {
            return (Self.refused(bytes), nil)
        }
        guard let line = try? JSON(parsing: bytes, ids: AgentInput.ids) else { return (.other, nil) }
        let event = event(line)
        note(event, line)
        return (event, ClaudeOutput.read(line, bytes, contextTokens: contextTokens))
    }

    private func event(_ line: JSON) -> ChildEvent {
        switch line["type"]?.stringValue {
        case "command_lifecycle": Self.lifecycle(line)
        case "control_cancel_request": Self.id(line["request_id"]).map { .withdrawn(request: $0) } ?? .other
        case "control_request": ClaudeQuestion(line, of: self).event
        case "control_response": Self.answer(line["response"])
        case "conversation_reset": Self.id(line["new_conversation_id"]).map { .conversation($0) } ?? .other
        case "result": .result
        case "system": ClaudeSystemLine.event(line)
        case "user" where line["isReplay"] == true: Self.id(line["uuid"]).map { .promptEcho($0) } ?? .other
        default: .other
        }
    }

    private mutating func note(_ event: ChildEvent, _ line: JSON) {
        switch event {
        case .conversation(let id): agentID = id
        case .asked(let request): note(request)
        case .mode(let mode): self.mode = mode
        case .turn(let facts):
            agentID = facts.agentID
            mode = facts.mode
        default: break
        }
        if let tokens = ClaudeFigures.contextTokens(line) { contextTokens = tokens }
    }

    /// The question before each call has its directory.
    private mutating func note(_ request: ChildRequest) {
        guard request.kind == .callback, let call = request.event.tool?.useID else { return }
        directories[call] = request.event.cwd
        calls.append(call)
        guard calls.count > Self.mostCalls else { return }
        for old in calls.prefix(Self.mostCalls / 2) { directories[old] = nil }
        calls.removeFirst(Self.mostCalls / 2)
    }

    /// Far more than run at a time.
    private static let mostCalls = 512

    private static func lifecycle(_ line: JSON) -> ChildEvent {
        guard let id = id(line["command_uuid"]), let state = states[line["state"]?.stringValue ?? ""] else {
            return .other
        }
        return .promptState(id: id, state)
    }

    private static let states: [String: PromptLifecycle] = [
        "cancelled": .cancelled, "completed": .completed, "queued": .queued, "started": .started,
    ]

    private static func answer(_ response: JSON?) -> ChildEvent {
        guard let response, let request = id(response["request_id"]) else { return .other }
        let isError = response["subtype"]?.stringValue == "error"
        return .answered(
            request: request, failure: isError ? HookAnswer.capped(response["error"]?.stringValue ?? "error") : nil,
            shown: isError ? ShownAnswer() : shown(response["response"]))
    }

    /// Reads an answer to a question, which Claude Code shows back with `--replay-user-messages`.
    private static func shown(_ answer: JSON?) -> ShownAnswer {
        if let behavior = answer?["behavior"]?.stringValue {
            return ShownAnswer(behavior == "allow" ? .allow : .deny, hasUpdate: answer?["updatedInput"] != nil)
        }
        let output = answer?["hookSpecificOutput"]
        let verdicts: [String: ShownAnswer.Verdict] = ["allow": .allow, "ask": .ask, "deny": .deny]
        return ShownAnswer(
            verdicts[output?["permissionDecision"]?.stringValue ?? ""] ?? .none,
            hasUpdate: output?["updatedInput"] != nil)
    }

    /// A question in a line that is not parsed is refused, which denies the call: left without an answer it would wait
    /// for ever.
    private static func refused(_ bytes: [UInt8]) -> ChildEvent {
        var (isQuestion, request) = (false, String?.none)
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = LineScanner(bytes, bytes.indices)
            _ = scanner.object { scanner, key in
                if scanner.holds(key, "type") {
                    isQuestion = scanner.string().map(scanner.plain) == "control_request"
                } else if scanner.holds(key, "request_id") {
                    request = scanner.string().map(scanner.plain)
                }
            }
        }
        guard isQuestion, let request else { return .other }
        return .unsupported(request: request)
    }

    /// An id that is kept and compared: no longer than any real one.
    static func id(_ value: JSON?) -> String? {
        value?.stringValue.flatMap { (1...256).contains($0.utf8.count) ? $0 : nil }
    }
}
