import Core
import OrderedJSON
import Wire

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

    /// Calls a method over the stream; events that come meanwhile are kept.
    mutating func call(_ method: String, _ params: JSON) throws(CommandFailure) -> JSON {
        let id = try link.request(method, params)
        while true {
            guard let messages = try link.receive() else {
                throw CommandFailure(.noDaemon, "the daemon closed the connection")
            }
            keep(messages)
            for case .reply(id, let outcome) in messages {
                do throws(JSONRPCError) { return try outcome.get() } catch {
                    throw CommandFailure(error.data?["refused"] == nil ? .other : .refused, error.message)
                }
            }
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
