/// One line of a transcript, whatever the agent calls its members. A line whose type is not known is `other`.
package struct TranscriptLine: Sendable, Hashable {
    /// A spelling of the index's database: a raw value never changes.
    package enum Kind: Int, Sendable, Hashable {
        case other = 0
        case user = 1
        case assistant = 2
    }

    /// Properties of a line. The index keeps the raw value, so a bit never changes its meaning.
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Written by the agent for itself, such as a note about a command, or that a task in the background has ended.
        package static let meta = Flags(rawValue: 1)
        /// The summary that stands for what came before it, written when the context was full.
        package static let compaction = Flags(rawValue: 2)
        /// True for a line of a subagent that stands in its caller's file.
        package static let sidechain = Flags(rawValue: 4)
        package static let toolUse = Flags(rawValue: 8)
        package static let toolResult = Flags(rawValue: 16)
        /// The result of a tool that failed.
        package static let error = Flags(rawValue: 32)
        package static let thinking = Flags(rawValue: 64)
        /// A prompt that was sent while the agent worked.
        package static let queued = Flags(rawValue: 128)
        /// The command with which a session was cleared; it is the beginning of the next.
        package static let clear = Flags(rawValue: 256)
        /// Text that a person sees: a prompt or an answer.
        package static let text = Flags(rawValue: 512)
    }

    package var kind = Kind.other
    package var flags: Flags = []
    package var uuid: String?
    /// The line that this one answers; after a compaction, the last line before it.
    package var parent: String?
    package var time: Timestamp?
    package var branch: String?
    package var cwd: String?
    package var agentID: String?
    package var model: String?
    package var tokens = TranscriptTokens()
    /// The words to search, cut to `longestText` bytes, with the ids of its tool calls in front.
    package var text = ""
    /// The facts that a line tells about its session.
    package var about: About?

    /// A fact about the whole session.
    package enum About: Sendable, Hashable {
        /// The money spent so far, in millionths of a dollar.
        case cost(Int64)
        /// The session was cleared, and another goes on.
        case cleared
        /// The lines of another session were copied into this one.
        case forked(from: String)
        /// A title that a person gave.
        case name(String)
        /// A title or a summary that the agent gave.
        case summary(String)
    }

    /// Bytes of `text`.
    package static let longestText = 64 << 10

    package init() {}

    /// True for a prompt, an answer or the result of a tool: the lines that are counted and shown.
    package var isMessage: Bool { kind != .other && uuid != nil }
}

/// The tokens that the model's provider counted for one answer.
package struct TranscriptTokens: Sendable, Hashable {
    package var input: Int64 = 0
    package var output: Int64 = 0

    package init(input: Int64 = 0, output: Int64 = 0) {
        self.input = input
        self.output = output
    }
}
