import Core

/// One answer that was sent.
struct Saying {
    /// The card it is about; `nil` where its sender could not say which.
    let opening: Opening?
    let caller: Caller
    let response: PermissionResponse
    /// How many answers came in one list with it.
    let count: Int
    let call: CallID
    let index: Int
    /// Its device had been revoked by then.
    let isRevoked: Bool
    /// Another call had the id of Claude's that it names.
    let isUnclear: Bool
    /// The daemon that took it forgot it.
    var isLost = false
    var result: Result<PermissionReceipt, ResponseFailure>?

    /// What its sender was told, if it was taken and is remembered.
    var receipt: PermissionReceipt? { isLost ? nil : try? result?.get() }
    func isSame(as other: Saying) -> Bool { call == other.call && index == other.index }
    /// Whether it decides nothing.
    var isVoid: Bool { if case .failure? = result { true } else { isLost } }
}

/// What was said, in order.
struct Sayings {
    private var all: [Saying] = []
    private var unsettled: Set<Int> = []

    /// Whether everybody who answered was told what became of that.
    var areSettled: Bool { unsettled.isEmpty }

    mutating func add(_ saying: Saying) {
        unsettled.insert(all.count)
        all.append(saying)
    }

    /// What its senders heard by now of what they said.
    mutating func takeSettled(_ results: [CallID: [Result<PermissionReceipt, ResponseFailure>]]) -> [Saying] {
        var settled: [Saying] = []
        for index in unsettled.sorted() {
            guard let result = results[all[index].call]?[all[index].index] else { continue }
            unsettled.remove(index)
            all[index].result = result
            settled.append(all[index])
        }
        return settled
    }

    /// Nobody hears any more what became of an answer. It may have been written, but for those to cards that are open,
    /// or to openings that were not written themselves: the next opening of the same call gets that number.
    mutating func daemonEnded(open: Set<Opening>, known: Set<Opening>) {
        unsettled = []
        for index in all.indices {
            guard let opening = all[index].opening, open.contains(opening) || !known.contains(opening) else { continue }
            all[index].isLost = true
        }
    }

    /// The answer that was taken first.
    func first(on opening: Opening) -> Saying? {
        all.first { $0.opening == opening && $0.receipt != nil }
    }

    /// Those that may have decided an opening: the first that was taken, or one before it whose sender never heard.
    func candidates(on opening: Opening) -> [Saying] {
        var found: [Saying] = []
        for saying in all where saying.opening == opening && !saying.isVoid {
            found.append(saying)
            if saying.receipt != nil { break }
        }
        return found
    }

    /// All that was said of a request and is not void.
    func taken(of request: String) -> [Saying] {
        all.filter { $0.opening?.id == request && !$0.isVoid }
    }
}
