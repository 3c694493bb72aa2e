/// A path with stars, of which the last component and the name of its directory are compared.
struct PathGlob {
    private let front: ArraySlice<UInt8>
    private let end: ArraySlice<UInt8>
    private let isOpen: Bool
    /// `nil` where any may be meant.
    private let directory: [UInt8]?

    init(_ path: [UInt8]) {
        let star = UInt8(ascii: "*")
        let parts = SensitiveNames.folded(path).split(separator: UInt8(ascii: "/"))
        let name = parts.last ?? []
        isOpen = name.contains(star)
        front = name.prefix { $0 != star }
        end = name.lastIndex(of: star).map { name[($0 + 1)...] } ?? []
        let above = parts.dropLast().last.map { Array($0) }
        let isDeep = name.starts(with: "**".utf8) || above?.contains(star) == true || above?.first == UInt8(ascii: ".")
        directory = isDeep ? nil : above
    }

    /// - Parameter name: case folded.
    func mayLie(in name: [UInt8]) -> Bool { directory.map { $0 == name } ?? true }

    /// - Parameter name: case folded.
    func matches(_ name: [UInt8]) -> Bool {
        guard isOpen else { return name[...] == front }
        return name.count >= front.count + end.count && name.starts(with: front)
            && name.suffix(end.count).elementsEqual(end)
    }
}
