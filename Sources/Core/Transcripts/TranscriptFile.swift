/// A file with a transcript: of a session, or of one of its subagents.
package struct TranscriptFile: Sendable, Hashable {
    package let path: String
    package let sessionID: String
    /// Set for a subagent's file.
    package let agentID: String?
    package let stamp: Stamp

    /// The file's state when it was listed.
    package struct Stamp: Sendable, Hashable {
        package let inode: UInt64
        package let size: Int64
        /// Nanoseconds since 1970.
        package let modified: Int64

        package init(inode: UInt64, size: Int64, modified: Int64) {
            self.inode = inode
            self.size = size
            self.modified = modified
        }
    }

    package init(path: String, sessionID: String, agentID: String?, stamp: Stamp) {
        self.path = path
        self.sessionID = sessionID
        self.agentID = agentID
        self.stamp = stamp
    }
}

/// The lines of a part of a transcript's file.
package struct TranscriptPart: Sendable {
    package struct Line: Sendable, Hashable {
        package let offset: Int64
        /// Bytes, without the line's end.
        package let length: Int
        package let line: TranscriptLine

        package init(offset: Int64, length: Int, line: TranscriptLine) {
            self.offset = offset
            self.length = length
            self.line = line
        }
    }

    /// Messages, and lines that tell something about the session; the others are left out.
    package let lines: [Line]
    /// The offset behind the last whole line.
    package let end: Int64
    /// False if more whole lines may follow.
    package let isLast: Bool
    /// True if more follows that is not taken in: a line that does not end, or more bytes than a transcript has.
    package let isGivenUp: Bool
    /// Numbers that tell a file from another one: made of its first bytes, and of the last bytes before `end`.
    package let seal: Seal

    package struct Seal: Sendable, Hashable {
        package var head: Int64 = 0
        /// The number of first bytes that `head` is made of.
        package var headLength: Int64 = 0
        package var tail: Int64 = 0

        package init(head: Int64 = 0, headLength: Int64 = 0, tail: Int64 = 0) {
            self.head = head
            self.headLength = headLength
            self.tail = tail
        }
    }

    package init(lines: [Line], end: Int64, isLast: Bool, seal: Seal, isGivenUp: Bool = false) {
        self.lines = lines
        self.end = end
        self.isLast = isLast
        self.isGivenUp = isGivenUp
        self.seal = seal
    }
}

/// The description of a subagent, which its agent writes beside its transcript.
package struct SubagentNote: Sendable, Hashable {
    /// The call that started it.
    package let toolUseID: String
    package let type: String
    package let summary: String

    package init(toolUseID: String, type: String, summary: String) {
        self.toolUseID = toolUseID
        self.type = type
        self.summary = summary
    }
}
