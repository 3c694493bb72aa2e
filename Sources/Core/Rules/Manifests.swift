/// Programs that look upwards for the files that say what they run.
enum Manifests {
    private static let node = [
        "package.json", "package.json5", "package.yaml", ".npmrc", ".pnp.cjs", ".pnpmfile.cjs", ".yarnrc",
        ".yarnrc.yml",
        "bunfig.toml", "pnpm-workspace.yaml",
    ]
    private static let names = [
        "bun": node + versions, "cargo": rust, "deno": versions, "gem": versions,
        "go": ["go.mod", "go.work"] + versions,
        "java": versions, "javac": versions, "lua": versions, "node": versions, "npm": node + versions,
        "perl": versions,
        "php": versions, "pip": versions, "pip3": versions, "pnpm": node, "python": versions, "python3": versions,
        "ruby": versions, "rustfmt": rust, "swift": [".swift-version", "Package.swift"] + versions, "yarn": node,
        "zig": versions,
    ]
    private static let rust = [".cargo", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"] + versions
    /// What asdf and mise read, whose programs may lie in the tree.
    private static let versions = [".tool-versions", ".mise.toml", "mise.toml"]

    /// The directory below the root whose manifest, or settings that name programs, the command would find: the key holds for that one only.
    ///
    /// Nil where it is the root's, or where there is none on the way.
    static func home(of row: CommandRow, at place: Place) -> String? {
        guard let names = row.words.first.flatMap({ names[$0] }) else { return nil }
        return ([place] + place.above).first { isHome($0, names) }?.resolved.path
    }

    private static func isHome(_ place: Place, _ names: [String]) -> Bool {
        let directory = place.resolved.path
        guard !PathText.same(directory, place.ground.root.path) else { return false }
        return names.contains { place.ground.disk.kind(of: PathText.join(directory, $0)) != .missing }
    }
}
