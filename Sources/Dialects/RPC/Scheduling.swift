/// When and where the calls of a method run among the messages of one connection.
package enum Scheduling: Sendable, Hashable {
    /// On the loop; later messages wait.
    case inOrder
    /// On a thread beside the loop, because the result may be hundreds of kilobytes; later messages wait.
    case inOrderOffLoop
    /// On a thread beside the loop, and later messages do not wait: the call waits for a disk, a search or another
    /// machine, or its result may be megabytes. At most `limit` such calls of one connection run at a time; a further
    /// one runs in order.
    case beside(limit: Int)
    /// If the parameter named `seconds` is above 0, the call waits so many seconds for an event, beside other messages.
    /// One such call of a connection at a time: the next ends it. If it is 0, as `inOrderOffLoop`.
    case waits(seconds: String)

    var isBeside: Bool {
        if case .beside = self { true } else { false }
    }
}
