package import OrderedJSON

/// A message of a transcript, as it is shown.
package struct TranscriptMessage: Sendable, Hashable {
    /// Its place in the transcript, from 1.
    package var number: Int64 = 0
    /// Set where it stands in a subagent's own transcript, and its number counts there.
    package var origin: SubagentOrigin?
    package let kind: TranscriptLine.Kind
    package let flags: TranscriptLine.Flags
    package let uuid: String
    package let parent: String?
    package let time: Timestamp?
    package let branch: String?
    package let agentID: String?
    /// `{"role":…,"content":…}` in the form of the model's provider.
    package let message: JSON
    /// The tools that the message calls, by name.
    package let tools: [String: Tool]
    /// The change of a file by the call whose result the message holds.
    package let change: FileDifference?
    /// What the message says of the list of what the agent means to do.
    package let todos: [TodoNote]
    /// The length in bytes of a line that is too long to be read; its message is empty then.
    package let leftOut: Int?

    package init(
        kind: TranscriptLine.Kind, flags: TranscriptLine.Flags, uuid: String, parent: String?, time: Timestamp?,
        branch: String?, agentID: String?, message: JSON, tools: [String: Tool] = [:], change: FileDifference? = nil,
        todos: [TodoNote] = [], leftOut: Int? = nil
    ) {
        self.kind = kind
        self.flags = flags
        self.uuid = uuid
        self.parent = parent
        self.time = time
        self.branch = branch
        self.agentID = agentID
        self.message = message
        self.tools = tools
        self.change = change
        self.todos = todos
        self.leftOut = leftOut
    }

    /// The approximate bytes of its content, without its small members.
    var size: Int { message.footprint + (change?.size ?? 0) }
}

extension TranscriptMessage {
    package var isOfSubagent: Bool { origin != nil || flags.contains(.sidechain) }

    package func adding(_ more: TranscriptLine.Flags) -> TranscriptMessage {
        var copy = TranscriptMessage(
            kind: kind, flags: flags.union(more), uuid: uuid, parent: parent, time: time, branch: branch,
            agentID: agentID, message: message, tools: tools, change: change, todos: todos,
            leftOut: leftOut)
        (copy.number, copy.origin) = (number, origin)
        return copy
    }
}

/// A subagent, with the call that started it; `nil` where nothing tells which.
package struct SubagentOrigin: Sendable, Hashable {
    package let agentID: String
    package let toolUseID: String?

    package init(agentID: String, toolUseID: String?) {
        self.agentID = agentID
        self.toolUseID = toolUseID
    }
}

/// A part of a transcript's messages.
package struct TranscriptPage: Sendable {
    package var messages: [TranscriptMessage]
    /// The number of messages of the whole transcript.
    package var total: Int64
    package var subagents: [Subagent]
    package var links: [Link]

    /// A subagent of the session.
    package struct Subagent: Sendable, Hashable {
        package let agentID: String
        package let note: SubagentNote?
        package let messages: Int64

        package init(agentID: String, note: SubagentNote?, messages: Int64) {
            self.agentID = agentID
            self.note = note
            self.messages = messages
        }
    }

    /// Another session that this one goes on from, or that goes on from this one.
    package struct Link: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            /// This session was begun by clearing that one.
            case clearOf = "clear_of"
            case clearedTo = "cleared_to"
            /// This session began with a copy of that one's messages.
            case forkOf = "fork_of"
            case forkedTo = "forked_to"
        }

        package let kind: Kind
        package let sessionID: String

        package init(kind: Kind, sessionID: String) {
            self.kind = kind
            self.sessionID = sessionID
        }
    }

    package init(
        messages: [TranscriptMessage] = [], total: Int64 = 0, subagents: [Subagent] = [], links: [Link] = []
    ) {
        self.messages = messages
        self.total = total
        self.subagents = subagents
        self.links = links
    }
}

/// Asks for a part of a transcript's messages.
package struct TranscriptPageQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable, CaseIterable {
        case ascending = "asc"
        case descending = "desc"
    }

    package let sessionID: String
    package var agentID: String?
    package var limit: Int
    package var offset: Int64
    package var order: Order
    /// In place of `offset`: begin at the message with this call of a tool.
    package var toolUseID: String?

    package init(
        sessionID: String, agentID: String? = nil, limit: Int = 50, offset: Int64 = 0, order: Order = .ascending,
        toolUseID: String? = nil
    ) {
        self.sessionID = sessionID
        self.agentID = agentID
        self.limit = limit
        self.offset = offset
        self.order = order
        self.toolUseID = toolUseID
    }
}

/// A session that has a transcript.
package struct TranscriptSession: Sendable, Hashable {
    package let sessionID: String
    package let facts: TranscriptFacts

    package init(sessionID: String, facts: TranscriptFacts) {
        self.sessionID = sessionID
        self.facts = facts
    }
}

/// A message in which searched words were found.
package struct TranscriptHit: Sendable, Hashable {
    package let session: TranscriptSession
    package let agentID: String?
    package let number: Int64
    package let kind: TranscriptLine.Kind
    package let uuid: String
    package let time: Timestamp?
    /// The text around the first word.
    package let snippet: String

    package init(
        session: TranscriptSession, agentID: String?, number: Int64, kind: TranscriptLine.Kind, uuid: String,
        time: Timestamp?, snippet: String
    ) {
        self.session = session
        self.agentID = agentID
        self.number = number
        self.kind = kind
        self.uuid = uuid
        self.time = time
        self.snippet = snippet
    }
}
