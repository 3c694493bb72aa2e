/// Programs that search their working directory for the programs they start, before the directory where these are
/// installed.
enum LocalHelpers {
    private static let byProgram: [String: [String]] = ["swift": ofSwift, "swift-format": ofSwift, "swiftc": ofSwift]
    private static let ofSwift = ["ar", "clang", "git", "gold", "ld", "lld", "llvm", "plutil", "swift", "xcrun"]

    /// Throws where the working directory contains a file that the program may start as a helper.
    static func check(_ row: CommandRow, in place: Place) throws(Refusal) {
        guard let helpers = row.words.first.flatMap({ byProgram[$0] }), !place.root.isAnywhere else { return }
        // A build runs new files of the tree in any case, so only rows that read are checked.
        if row.reads { try place.checkIsWhole(row.words[0]) }
        guard let found = place.root.disk.names(in: place.resolved.path) else { throw .directory(place.written) }
        for name in found where plays(SensitiveNames.folded(name.utf8), helpers) {
            guard place.root.disk.kind(of: PathText.join(place.resolved.path, name)) == .directory else {
                throw .runsByItself(name)
            }
        }
    }

    /// Throws where a starter may take the program that it starts from the working directory: `uv run ruff` runs
    /// `ruff/__main__.py`, or the zip file `ruff`, and `bundle exec rspec` a file `rspec` that is executable.
    static func checkStarted(by row: CommandRow, in place: Place) throws(Refusal) {
        guard row.words.count > 2, starters.contains(row.words[0] + " " + row.words[1]) else { return }
        let name = row.words[2]
        // Tests of new files of the tree run in any case.
        if !row.runsTests { try place.checkIsKnown(name) }
        guard place.root.disk.kind(of: PathText.join(place.resolved.path, name)) == .missing else {
            throw .runsByItself(name)
        }
    }

    private static let starters: Set<String> = ["bundle exec", "poetry run", "uv run"]

    /// True if a name is that of a helper: `clang`, `clang++`, `clang-17`, `ld.gold`. A name with a known suffix,
    /// `swift.md`, is not.
    private static func plays(_ name: [UInt8], _ helpers: [String]) -> Bool {
        guard let helper = helpers.first(where: { name.starts(with: $0.utf8) }) else { return false }
        let rest = name.dropFirst(helper.utf8.count)
        return rest.isEmpty
            || !ShellCharacters.isAlphanumeric(rest[rest.startIndex]) && !WrittenNames.hasKnownSuffix(name)
            || helper == "swift" && rest.elementsEqual("c".utf8)
    }
}
