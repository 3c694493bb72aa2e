/// The texts that a start still reads of requests, so that its time does not depend on what is in them. The newest come
/// first.
struct StartBudget {
    private var inputs: Int
    private var inputBytes: Int
    private var updateBytes: Int

    /// The budget of open requests. Each input that is read is searched for words that confirm it, and evaluated by the session's
    /// rules; the others come back with their relays, one at a time.
    static let open = StartBudget(inputs: 64, inputBytes: 64 << 10, updateBytes: 0)
    /// The budget of ended requests.
    static let ended = StartBudget(inputs: .max, inputBytes: 512 << 10, updateBytes: 128 << 10)

    /// The most bytes of one input that is read.
    private static let longest = 16 << 10

    /// True where an input of so many bytes is to be read; it then counts.
    mutating func takesInput(bytes: Int) -> Bool {
        guard inputs > 0, bytes <= min(Self.longest, inputBytes) else { return false }
        inputs -= 1
        inputBytes -= bytes
        return true
    }

    /// False once the changed inputs that were read have used the budget up. The last may have exceeded it, since its
    /// length is not known before.
    var hasUpdates: Bool { updateBytes > 0 }

    mutating func takeUpdate(bytes: Int) {
        updateBytes -= bytes
    }
}
