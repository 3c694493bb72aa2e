import Core
import OrderedJSON
import Rules

/// A call of a tool as its agent knows it: announced, answered, perhaps asked about beside a dialog, and over.
struct AgentCall {
    let number: Int
    let session: String
    let cwd: String
    let prompt: String
    let agentID: String?
    let tool: String
    /// What would run now: what the agent asked for, or what a person put in its place.
    var input: JSON
    /// `nil` for a dialog that no PreToolUse announced.
    let useID: String?
    let mode: PermissionMode
    let isAttended: Bool
    let isVerified: Bool
    /// What its relay sends with each try; `nil` for a client without a relay.
    let token: String?
    /// Set for a call of another process that uses the session's id.
    var stranger: Int32?
    var heard: HookAnswer?
    var hasDialog = false
    /// It ran, or never will.
    var isOver = false

    func posting(_ name: HookEventName) -> Posting {
        Posting(
            call: number,
            event: AgentEvent(
                name: name, sessionID: session, cwd: cwd, promptID: prompt, permissionMode: mode, agentID: agentID,
                tool: ToolCall(name: tool, input: input, useID: name == .permissionRequest ? nil : useID)),
            source: HookSource(
                relayToken: token.map { "\($0) \(name.spelling)" }, bodyDigest: digest, isAttended: isAttended,
                claudePID: stranger ?? Self.process(of: session), isVerified: isVerified))
    }

    /// The process of a session, and of those that go on in it after `/clear`: `s1`, `s1.1`.
    static func process(of session: String) -> Int32? {
        session.hasPrefix("s1") ? 41 : session.hasPrefix("s2") ? 42 : nil
    }

    /// That of the call, whatever the event: the broker has to tell two events apart by their names.
    private var digest: [UInt8] {
        Array("\(session) \(cwd) \(prompt) \(agentID ?? "") \(tool) \(input.serialized()) \(useID ?? "")".utf8)
    }
}

/// One input of a hook on its way to the broker.
struct Posting: CustomStringConvertible {
    let call: Int
    let event: AgentEvent
    let source: HookSource

    var description: String {
        let (id, input) = (event.tool?.useID ?? "no id", event.tool?.input.serialized() ?? "")
        return "call \(call), \(event.name.spelling) of \(id) in \(event.sessionID): \(input.prefix(100))"
    }
}

/// What a dialog tells of its call. Calls that look the same cannot be told apart there.
struct Look: Hashable {
    let session: String
    let cwd: String
    let prompt: String?
    let agentID: String?
    let tool: String
    let input: KeptJSON
    let isVerified: Bool

    init(_ posting: Posting, input: KeptJSON? = nil) {
        session = posting.event.sessionID
        cwd = posting.event.cwd
        prompt = posting.event.promptID
        agentID = posting.event.agentID
        tool = posting.event.tool?.name ?? ""
        self.input = input ?? posting.event.tool?.kept ?? KeptJSON(.null)
        isVerified = posting.source.isVerified
    }
}

/// One opening of a card.
struct Opening: Hashable, CustomStringConvertible {
    let id: String
    let number: Int

    var description: String { "\(id)/\(number)" }

    init(_ request: PermissionRequest) {
        (id, number) = (request.id, request.opening)
    }

    init(_ receipt: DeliveryReceipt) {
        (id, number) = (receipt.requestID, receipt.opening)
    }
}
