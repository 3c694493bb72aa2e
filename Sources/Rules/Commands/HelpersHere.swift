/// Programs that look in the directory where they run for what they start, before they look where they are installed.
enum HelpersHere {
    private static let byProgram: [String: [String]] = ["swift": ofSwift, "swift-format": ofSwift, "swiftc": ofSwift]
    private static let ofSwift = ["ar", "clang", "git", "gold", "ld", "lld", "llvm", "plutil", "swift", "xcrun"]

    static func check(_ row: CommandRow, in place: Place) throws(Refusal) {
        guard let helpers = row.words.first.flatMap({ byProgram[$0] }), !place.ground.isAnywhere else { return }
        // A build runs what was brought anyway.
        if row.reads { try place.checkIsWhole(row.words[0]) }
        guard let found = place.ground.disk.names(in: place.resolved.path) else { throw .directory(place.written) }
        for name in found where plays(SensitiveNames.folded(name.utf8), helpers) {
            guard place.ground.disk.kind(of: PathText.join(place.resolved.path, name)) == .directory else {
                throw .runsByItself(name)
            }
        }
    }

    /// `clang`, `clang++`, `clang-17`, `ld.gold`; a file with a suffix of letters only, `swift.md`, is none.
    private static func plays(_ name: [UInt8], _ helpers: [String]) -> Bool {
        guard let helper = helpers.first(where: { name.starts(with: $0.utf8) }) else { return false }
        let rest = name.dropFirst(helper.utf8.count)
        return rest.isEmpty
            || !ShellCharacters.isAlphanumeric(rest[rest.startIndex]) && !WrittenNames.hasKnownSuffix(name)
            || helper == "swift" && rest.elementsEqual("c".utf8)
    }
}
