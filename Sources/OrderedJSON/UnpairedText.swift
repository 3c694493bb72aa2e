/// A string that UTF-8 cannot hold, because it contains half a surrogate pair (`"\ud800"`). Stored as UTF-16 code
/// units.
package struct UnpairedText: Sendable, Hashable {
    let units: [UInt16]

    /// Nil where every surrogate is part of a pair: a `String` can hold that.
    init?(_ units: [UInt16]) {
        guard String(validating: units, as: UTF16.self) == nil else { return nil }
        self.units = units
    }

    /// The text with U+FFFD for each half, as when JavaScript encodes such a string as UTF-8.
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

/// The members of a JSON text that are ids, in which the parser keeps halves of surrogate pairs: ids are compared
/// exactly and sent back as they came. In all other strings the parser replaces a half by U+FFFD.
package final class JSONIDs: Sendable {
    private let names: [String]
    private let inner: [(name: String, ids: JSONIDs)]

    /// - Parameters:
    ///   - names: Members of the object, or of each object of the array, that are ids.
    ///   - inner: Members whose value contains ids, with the ids in that value.
    package init(_ names: [String], in inner: [(name: String, ids: JSONIDs)] = []) {
        self.names = names
        self.inner = inner
    }

    func holds(_ name: String) -> Bool { names.contains { $0.hasSameBytes(as: name) } }

    func inside(_ name: String) -> JSONIDs? { inner.first { $0.name.hasSameBytes(as: name) }?.ids }
}
