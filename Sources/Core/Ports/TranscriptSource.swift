/// The transcripts that an agent keeps on this machine. Every function waits for the disk.
package protocol TranscriptSource: Sendable {
    /// All transcripts, the last changed first.
    func files() -> [TranscriptFile]
    /// The transcript of a session and those of its subagents.
    func files(of sessionID: String) -> [TranscriptFile]
    /// Reads whole lines from `offset` on, of about `limit` bytes together, but at least one. `nil` where the file is
    /// gone or is not ours.
    func part(of path: String, from offset: Int64, limit: Int) -> TranscriptPart?
    /// The seal of a file's bytes before `offset`, made of as many first bytes as before; `nil` where it has fewer.
    func seal(of path: String, upTo offset: Int64, headLength: Int64) -> TranscriptPart.Seal?
    /// Reads messages. A line that is no longer there is left out.
    func messages(_ places: [TranscriptPlace], of path: String) -> [TranscriptMessage]
    /// Reads the searched texts of lines, as the index has them.
    func texts(_ places: [TranscriptPlace], of path: String) -> [TranscriptLine?]
    func note(ofSubagent path: String) -> SubagentNote?
    /// What the record of typed lines tells behind `mark`; `nil` where nothing was added. A record that was replaced is
    /// read anew.
    func clearings(after mark: SessionClearings.Mark?) -> SessionClearings?
    /// The directory of the transcripts of a session's subagents; it is there once the session has one.
    /// - Parameter path: The session's own transcript.
    func subagentDirectory(of path: String) -> String
}

/// A line in a transcript's file.
package struct TranscriptPlace: Sendable, Hashable {
    package let number: Int64
    package let offset: Int64
    package let length: Int

    package init(number: Int64, offset: Int64, length: Int) {
        self.number = number
        self.offset = offset
        self.length = length
    }
}
