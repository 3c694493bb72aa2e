package import Core
import OrderedJSON

/// The calls of tools that an editor has: each is shown once, from the moment on at which the agent begins to write it, and
/// its input follows once that is whole.
package struct ACPCalls: Sendable {
    /// The ids of the last calls that it has.
    private var known: [String] = []
    /// Those of them whose input it has not.
    package private(set) var begun: [String] = []

    private static let mostKnown = 400

    package init() {}

    /// Returns true if the call is to be shown.
    package mutating func begin(_ id: String) -> Bool {
        guard !known.contains(id) else { return false }
        note(id)
        begun.append(id)
        return true
    }

    /// Takes in the calls of a message that is whole. Returns those that were shown before.
    package mutating func take(_ message: TranscriptMessage) -> Set<String> {
        let ids = message.calls
        let shown = ids.filter(known.contains)
        for id in ids where !shown.contains(id) { note(id) }
        begun.removeAll(where: ids.contains)
        return Set(shown)
    }

    /// What was begun will never be whole. Returns those calls.
    /// - Parameter id: The call that the agent is at. One that an earlier connection was told of begins again where the
    ///   daemon reads the agent's output again.
    package mutating func breakOff(but id: String? = nil) -> [String] {
        let brokenOff = begun.filter { $0 != id }
        begun.removeAll { $0 != id }
        return brokenOff
    }

    private mutating func note(_ id: String) {
        if known.count == Self.mostKnown { known.removeFirst() }
        known.append(id)
    }
}

extension TranscriptMessage {
    /// The ids of the calls in it.
    fileprivate var calls: [String] {
        (message["content"]?.arrayValue ?? []).compactMap { block in
            block["type"]?.stringValue == "tool_use" ? block["id"]?.idValue : nil
        }
    }
}
