/// The names without a suffix that makefiles include, case folded. Where such a file is missing, make makes it of a source with a
/// built-in rule, and reads it: `deps` of `deps.sh` for `-include deps`.
extension SessionRoot {
    func findIncludedByMake() -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for directory in nearTree.directories + directoriesAbove {
            for name in directory.files where TaskFile.isMakefile(SensitiveNames.folded(name.utf8)) {
                let path = PathText.join(directory.path, name)
                let text = disk.text(of: path, limit: DiskLookups.longestManifest, isOnlySearched: true) ?? ""
                for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                    for word in IncludedMakefiles.operands(of: Array(line)[...])?.split(separator: 0x20) ?? [] {
                        let name = word.split(separator: UInt8(ascii: "/")).last ?? []
                        if !name.contains(UInt8(ascii: ".")) { found.insert(SensitiveNames.folded(name)) }
                    }
                }
            }
        }
        return found
    }
}
