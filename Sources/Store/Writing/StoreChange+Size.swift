import Core
import OrderedJSON

extension StoreChange {
    /// About how many bytes the change holds.
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

    /// A request that has ended: a line of the audit log that nothing waits for.
    var isEndedRequest: Bool {
        if case .request(let request) = self { !request.isOpen } else { false }
    }

    /// The identity of the row, where a later change of the same row makes this one needless, else `nil`. In bytes, as
    /// the database compares.
    fileprivate var row: [UInt8]? {
        switch self {
        case .rule(let rule): Array("rule \(rule.id)".utf8)
        case .session(let session): Array("session \(session.id)".utf8)
        default: nil
        }
    }
}

extension [StoreChange] {
    /// Without the changes whose row a later change in the list writes again. Requests stay: each of their resolutions
    /// is history.
    var coalesced: [StoreChange] {
        guard count > 1, contains(where: { $0.row != nil }) else { return self }
        var seen: Set<[UInt8]> = []
        return Array(reversed().filter { change in change.row.map { seen.insert($0).inserted } ?? true }.reversed())
    }
}
