import Core
import OrderedJSON

/// The daemon's events, for a command that only waits for them.
struct EventStream {
    private var link: DaemonLink
    private var waiting: [(name: String, params: JSON)] = []

    /// - Parameter isApprover: While the stream is open, it counts as an approver for whom requests are held.
    init(socketPath: String, name: String, isApprover: Bool) throws(CommandFailure) {
        link = try DaemonLink(socketPath: socketPath)
        let introduction = JSON.introduction(name: name, version: Version.text, isApprover: isApprover)
        let id = try link.request("initialize", introduction)
        // From the reply on, the daemon sends every event and counts this approver.
        while true {
            guard let messages = try link.receive() else {
                throw CommandFailure(.noDaemon, "the daemon closed the connection")
            }
            keep(messages)
            if messages.contains(where: { $0.isReply(to: id) }) { return }
        }
    }

    /// The next event's name (without `event/`) and parameters; `nil` when the daemon closes the stream.
    mutating func next() throws(CommandFailure) -> (name: String, params: JSON)? {
        while waiting.isEmpty {
            guard let messages = try link.receive() else { return nil }
            keep(messages)
        }
        return waiting.removeFirst()
    }

    private mutating func keep(_ messages: [DaemonLink.Message]) {
        for case .event(let name, let params) in messages { waiting.append((name, params)) }
    }
}

extension DaemonLink.Message {
    fileprivate func isReply(to id: Int) -> Bool {
        if case .reply(id, _) = self { true } else { false }
    }
}
