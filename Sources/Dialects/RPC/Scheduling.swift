/// When the calls of a method are worked off among the messages of one connection, and where.
package enum Scheduling: Sendable, Hashable {
    /// On the loop: what was sent behind waits.
    case inOrder
    /// The same, on a thread beside the loop: the result may be hundreds of kilobytes.
    case inOrderOffLoop
    /// On a thread beside the loop, and what was sent behind does not wait: the call waits for a disk, a search or another
    /// machine, or its result may be megabytes. At most `limit` such calls of one connection at a time; one more is
    /// worked off in order.
    case beside(limit: Int)
    /// Where the parameter `seconds` is above 0, the call waits so long for something to happen, beside the others; one
    /// such call of a connection at a time, the next ends it. Else `inOrderOffLoop`.
    case waits(seconds: String)

    var isBeside: Bool {
        if case .beside = self { true } else { false }
    }
}
