import Platform
import Services

/// The requests that started a turn, so that none starts another: clients repeat a request by themselves after a
/// time-out.
final class SentRequests: Sendable {
    private struct State {
        var sessions: [[UInt8]: String] = [:]
        var order: [[UInt8]] = []
    }

    private let state = Locked(State())
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    private static let most = 2000

    init(sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.sha256 = sha256
    }

    func note(_ call: ChatCall, session: String) {
        let digest = digest(of: call)
        state.withLock { state in
            if state.sessions.updateValue(session, forKey: digest) == nil { state.order.append(digest) }
            guard state.order.count > Self.most else { return }
            for old in state.order.prefix(Self.most / 10) { state.sessions[old] = nil }
            state.order.removeFirst(Self.most / 10)
        }
    }

    /// The session in which the same request was run; `nil` for a request that says it is a new one.
    func session(of call: ChatCall) -> String? {
        guard call.isRepeated || call.key != nil else { return nil }
        let digest = digest(of: call)
        return state.withLock { $0.sessions[digest] }
    }

    /// A key stands for the request; without one all that was sent does.
    private func digest(of call: ChatCall) -> [UInt8] {
        let names = [call.owner, call.chat ?? "", call.key ?? ""].map { "\($0.utf8.count):\($0)" }.joined()
        guard call.key == nil else { return sha256(Array(names.utf8)) }
        let ends = call.body.prefix(Self.mostBytes) + call.body.suffix(Self.mostBytes)
        return sha256(Array("\(names)\(call.body.count):".utf8) + ends)
    }

    /// Bytes of each end of a body that are compared: the whole of a large one would hold the loop up.
    private static let mostBytes = 64 << 10
}
