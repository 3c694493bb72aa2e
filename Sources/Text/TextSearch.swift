/// The standard library's own searches link the regular expression engine into the program. These are inlinable:
/// unspecialised generic code called from another target allocates for every byte it looks at.
extension Collection<UInt8> {
    /// The range of the first occurrence of `bytes`. Tries every position, so `bytes` should be short.
    @inlinable
    package func firstPlace(of bytes: some Collection<UInt8>) -> Range<Index>? {
        guard let first = bytes.first else { return startIndex..<startIndex }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            guard let end = index(start, offsetBy: bytes.count, limitedBy: endIndex) else { return nil }
            if self[start..<end].elementsEqual(bytes) { return start..<end }
            rest = self[index(after: start)...]
        }
        return nil
    }
}

extension StringProtocol {
    @inlinable
    package func firstPlace(of text: String) -> Range<Index>? { utf8.firstPlace(of: text.utf8) }

    @inlinable
    package func holds(_ text: String) -> Bool { firstPlace(of: text) != nil }
}
