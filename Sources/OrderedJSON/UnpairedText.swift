/// A string that no UTF-8 can hold, for half of a surrogate pair stands in it alone (`"\ud800"`): its UTF-16 code units.
package struct UnpairedText: Sendable, Hashable {
    let units: [UInt16]

    /// Nil where every surrogate has its other half: then it is a `String`.
    init?(_ units: [UInt16]) {
        guard String(validating: units, as: UTF16.self) == nil else { return nil }
        self.units = units
    }

    /// With U+FFFD for each half, as when JavaScript writes such a string out as UTF-8.
    package var text: String { String(decoding: units, as: UTF16.self) }

    enum Piece {
        case text(String)
        case half(UInt16)
    }

    var pieces: [Piece] {
        var pieces: [Piece] = []
        var whole: [UInt16] = []
        for (index, unit) in units.enumerated() {
            guard isHalf(at: index) else {
                whole.append(unit)
                continue
            }
            if !whole.isEmpty { pieces.append(.text(String(decoding: whole, as: UTF16.self))) }
            whole = []
            pieces.append(.half(unit))
        }
        if !whole.isEmpty { pieces.append(.text(String(decoding: whole, as: UTF16.self))) }
        return pieces
    }

    private func isHalf(at index: Int) -> Bool {
        if UTF16.isLeadSurrogate(units[index]) {
            return index + 1 == units.count || !UTF16.isTrailSurrogate(units[index + 1])
        }
        return UTF16.isTrailSurrogate(units[index]) && (index == 0 || !UTF16.isLeadSurrogate(units[index - 1]))
    }
}

/// Which strings of a text may have such halves: the ids in it. Two ids are the same only where all of them is, and one
/// goes back as it came. In all other strings a half is U+FFFD from the start, which every reader takes.
package final class JSONIDs: Sendable {
    private let names: [String]
    private let inner: [(name: String, ids: JSONIDs)]

    /// - Parameters:
    ///   - names: Members of the object, or of each object of the array, that are ids.
    ///   - inner: Members in whose value there are more.
    package init(_ names: [String], in inner: [(name: String, ids: JSONIDs)] = []) {
        self.names = names
        self.inner = inner
    }

    func holds(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }

    func inside(_ name: String) -> JSONIDs? { inner.first { $0.name.hasSameBytes(as: name) }?.ids }
}
