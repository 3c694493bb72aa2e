extension StringProtocol {
    /// `split` over bytes: splitting by `Character` takes several times as long. Right for any ASCII separator.
    @inlinable
    package func pieces(at separator: Unicode.Scalar) -> [Substring] {
        let text = Substring(self)
        return text.utf8.split(separator: UInt8(ascii: separator)).map { Substring($0) }
    }
}
