/// Programs that look upwards for the file that says what they run.
enum Manifests {
    private static let names = [
        "bun": "package.json", "cargo": "Cargo.toml", "npm": "package.json", "pnpm": "package.json",
        "swift": "Package.swift", "yarn": "package.json",
    ]

    /// The directory below the root whose manifest the command would find: the key holds for that one only.
    ///
    /// Nil where it is the root's, or where there is none on the way.
    static func home(of row: CommandRow, at place: Place) -> String? {
        guard let name = row.words.first.flatMap({ names[$0] }) else { return nil }
        return ([place] + place.above).first { directory in
            !PathText.same(directory.resolved.path, directory.ground.root.path)
                && directory.ground.disk.kind(of: PathText.join(directory.resolved.path, name)) != .missing
        }?.resolved.path
    }
}
