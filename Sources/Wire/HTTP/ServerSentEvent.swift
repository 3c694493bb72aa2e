/// Server-sent events (HTML, "Server-sent events"): the bytes of one event or comment.
package enum ServerSentEvent {
    /// An event without a name.
    package static func data(_ text: String) -> [UInt8] { lines("data: ", text) }

    /// - Parameter name: Of the event's kind, without a line break.
    package static func event(_ name: String, _ text: String) -> [UInt8] {
        Array("event: \(name)\n".utf8) + data(text)
    }

    /// A line that clients skip. It shows that the server lives.
    package static func comment(_ text: String) -> [UInt8] { lines(": ", text) }

    /// A line break within the text would begin a field of its own.
    private static func lines(_ prefix: String, _ text: String) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 16)
        let breaks: [UInt8] = [ByteClass.carriageReturn, ByteClass.lineFeed]
        for line in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: breaks.contains) {
            output.append(contentsOf: prefix.utf8)
            output.append(contentsOf: line)
            output.append(ByteClass.lineFeed)
        }
        output.append(ByteClass.lineFeed)
        return output
    }
}
