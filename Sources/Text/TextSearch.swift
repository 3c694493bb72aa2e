/// Of the standard library's own searches each brings the engine of regular expressions into the program. Inlinable, for called
/// as generic code from another target each byte that is looked at would cost an allocation.
extension Collection<UInt8> {
    /// Where the other bytes stand for the first time. For short ones: each place is tried.
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
