import Core
import OrderedJSON

extension StoreChange {
    /// The approximate bytes of the change.
    var size: Int {
        switch self {
        case .event(let record): 256 + record.footprint
        case .request(let request):
            512 + request.input.size + (request.resolution?.update?.size ?? 0)
                + (request.resolution?.message?.utf8.count ?? 0)
        case .session(let session): 512 + session.tools.reduce(0) { $0 + 256 + $1.input.size }
        default: 256
        }
    }

    var isEvent: Bool {
        if case .event = self { true } else { false }
    }

    /// True for a request that has ended: a row of the audit log for which nothing waits.
    var isEndedRequest: Bool {
        if case .request(let request) = self { !request.isOpen } else { false }
    }

    /// The identity of the row, if a later change of the same row replaces this one, else `nil`. In bytes, as the
    /// database compares. A session without its tool history does not replace one with it: the history stays in the row.
    fileprivate var row: [UInt8]? {
        switch self {
        case .rule(let rule): Array("rule \(rule.id)".utf8)
        case .session(let session): Array("session \(session.tools.isEmpty ? "" : "tools") \(session.id)".utf8)
        default: nil
        }
    }
}

extension [StoreChange] {
    /// The list without changes whose row a later change writes again. Requests stay, because each of their resolutions
    /// belongs to the audit log.
    var coalesced: [StoreChange] {
        guard count > 1, contains(where: { $0.row != nil }) else { return self }
        var seen: Set<[UInt8]> = []
        return Array(reversed().filter { change in change.row.map { seen.insert($0).inserted } ?? true }.reversed())
    }
}
