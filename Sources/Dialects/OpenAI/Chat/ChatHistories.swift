import Core
import Platform

/// The messages that sessions of this dialect were sent and answered, so that a client which names no session goes on in
/// the one that it means. Kept while the daemon runs: of a session that is not known here any more another one is told.
final class ChatHistories: Sendable {
    /// The state of a session in which it had these messages and no others.
    struct Place: Sendable, Hashable {
        let session: String
        /// Its process: what a person adds at a terminal, the process does not know, nor does this daemon.
        let run: Int
        let conversation: String
        /// Messages that the daemon saw of it.
        let messages: Int

        init(_ session: RunSession, messages: Int) {
            self.session = session.id
            run = session.run
            conversation = session.agentID
            self.messages = messages
        }
    }

    private struct State {
        /// `nil` for what several sessions had: whichever is meant, nobody can tell.
        var places: [[UInt8]: Place?] = [:]
        var order: [[UInt8]] = []
    }

    private let state = Locked(State())

    private static let most = 4000

    /// The place of the only session that ever had this history.
    func place(of history: [UInt8]) -> Place? { state.withLock { $0.places[history] ?? nil } }

    func note(_ place: Place, of history: [UInt8]) {
        state.withLock { state in
            if let known = state.places[history] {
                state.places[history] = .some(known?.session == place.session ? place : nil)
                return
            }
            state.places[history] = .some(place)
            state.order.append(history)
            guard state.order.count > Self.most else { return }
            for old in state.order.prefix(Self.most / 10) { state.places[old] = nil }
            state.order.removeFirst(Self.most / 10)
        }
    }
}

/// Names a history of messages by a digest.
struct ChatHistory: Sendable {
    /// All by which chats differ that begin alike: the caller, the workspace, the model and the instructions.
    let names: [String]
    let messages: ChatMessages

    /// Bytes of messages that are compared; the digest of more would hold the loop up.
    private static let longest = 1 << 20

    init(_ request: ChatRequest, _ call: ChatCall, workspace: String) {
        names = [call.owner, workspace, request.model.name] + request.instructions
        messages = request.messages
    }

    /// The digest of the messages before the new ones; `nil` where they do not end with an answer, or are not compared.
    func past(_ sha256: ([UInt8]) -> [UInt8]) -> [UInt8]? {
        guard messages.past.last?.role == "assistant" else { return nil }
        return digest(of: messages.past, sha256)
    }

    /// The digest of all messages with the answer to them.
    func whole(answer: String, _ sha256: ([UInt8]) -> [UInt8]) -> [UInt8]? {
        let last = ChatMessages.Past(role: "assistant", text: answer)
        return digest(of: messages.past + messages.newest + [last], sha256)
    }

    /// A picture is only named in a text, so messages with one are not compared.
    private func digest(of list: [ChatMessages.Past], _ sha256: ([UInt8]) -> [UInt8]) -> [UInt8]? {
        guard !messages.hasPictures, list.reduce(0, { $0 + $1.text.utf8.count }) <= Self.longest else { return nil }
        let words = ["\(names.count)"] + names + list.flatMap { [$0.role, $0.text] }
        return sha256(Array("history:\(words.map { "\($0.utf8.count):\($0)" }.joined())".utf8))
    }
}
