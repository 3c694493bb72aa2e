/// Files that make makes where they are missing. A makefile that includes a missing file has it made of a source by a built-in
/// rule, and reads it: `deps` of `deps.sh` for `-include deps`.
extension SessionRoot {
    /// The names without a suffix that makefiles near include, case folded; nil where one cannot be read.
    func findIncludedByMake() -> Set<[UInt8]>? {
        var found: Set<[UInt8]> = []
        for directory in nearTree.directories + directoriesAbove {
            for name in directory.files where TaskFile.isMakefile(SensitiveNames.folded(name.utf8)) {
                let path = PathText.join(directory.path, name)
                guard let text = disk.text(of: path, limit: DiskLookups.longestManifest, isOnlySearched: true) else {
                    return nil
                }
                for line in IncludedMakefiles.lines(of: text) { found.formUnion(Self.included(by: line)) }
            }
        }
        return found
    }

    private static func included(by line: ArraySlice<UInt8>) -> [[UInt8]] {
        (IncludedMakefiles.operands(of: line) ?? []).split { $0 <= 0x20 }
            .compactMap { $0.split(separator: UInt8(ascii: "/")).last }
            .filter { !$0.contains(UInt8(ascii: ".")) }
            .map { SensitiveNames.folded($0) }
    }
}
